"""Signal processing in numpy: filters, time, spectra and rooms. Signals are float64 of shape (frames,)."""
