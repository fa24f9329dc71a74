// ImageIO
