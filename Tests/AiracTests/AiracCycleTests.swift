import Airac
import Testing
