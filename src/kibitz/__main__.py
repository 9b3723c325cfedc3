"""`python -m kibitz` is the program `kibitz`."""

from kibitz.cli import main

if __name__ == "__main__":
    main()
