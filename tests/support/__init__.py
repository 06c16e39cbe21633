"""What the tests share: where things are, a loopback web host, a watched Chromium."""
