int plain() { return 1000; }
