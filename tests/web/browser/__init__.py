"""The page in a real browser; a package, so that its fixtures close the browser after its tests."""
