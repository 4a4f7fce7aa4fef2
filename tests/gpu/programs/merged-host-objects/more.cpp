int more() { return 5000; }
