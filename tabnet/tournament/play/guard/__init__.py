"""The guard of a bot: a small process between the referee and the bot.

It starts in few milliseconds, so it imports few modules, all of the standard library.
"""
