"""``cryptile synth``: area and clock of the hardware, from open tools under stated conditions."""
