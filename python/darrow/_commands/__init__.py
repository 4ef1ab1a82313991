"""The subcommands of `darrow` that come with the package: `darrow NAME` runs `darrow-NAME`."""
