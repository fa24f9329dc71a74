import ChartpipeKit

Chartpipe.main()
