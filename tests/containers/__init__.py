"""The files around device code (fatbins, archives, host objects), made field by field."""
