def pytest_terminal_summary(terminalreporter):
    import sys

    if "drawn" in sys.modules:
        seed = sys.modules["drawn"].SEED
        terminalreporter.write_line(f"random graphs: FRINGE_TEST_SEED={seed:x}")
