"""Fish in JSON actions over TCP: the protocol of a Fish server, for clients that know no other."""
