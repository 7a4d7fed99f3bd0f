// The kinds of games of this server, each with its board.
//
// A board is one file in boards/ without imports, which exports `board`. The reports of tournaments
// embed the same file. An update below is an update of the protocol, or in a report the fields of
// the position with `options` and `event`.
//   title, colors        its name, and the names of its players, in seat order
//   style, rules         CSS and HTML texts: its look, and the instructions for people
//   legend               what its pieces and numbers mean, for readers of a report
//   sizes, usualSize     label -> the fields of `join` for it, and the label to begin with
//   seatsMost            how many can play, if more than two can
//   rankedBy             the option by which its rankings are separated, if there is one; a `join`
//                        then needs it and a group
//   start(options)       the update that a game begins with, as far as the board needs it
//   rows(update, seat)   the cells as this seat sees them, row by row from the top; a cell has
//     key, name          its key on the board, and its name as it is read aloud
//     marks, place       class names, and CSS properties of where it lies
//     pieces             from the bottom up: marks (class names, of which one gives the piece its
//                        colours --fill and --on), text (read aloud), label
//     count, label       how many small things lie on it, and its name in the texts of a report
//   path(move)           the cells to be chosen, one after the other, for a move of `moves`
//   tried(taken, key)    the fields of `notify` that choosing this cell would stand for, or null
//   held(update), letGo(update)   the cell that is selected on the server, and how it is let go
//   decisive             after how many of them the only move left is played
//   touched(event)       the cells of a move
//   gain(before, after)  the captures or gains of a move, in words, or ""
//   tally(update, color) the progress of a player, in words
//   prompt(update, n)    the request to choose the next cell after n cells
//   score(update, color) the score of a player, if the kind has scores
//   reasons              the reasons for which only this kind's games end, in words
//   throws               if there are any:
//     things             what is thrown and drawn: "sticks", "dice" or "die"
//     lying(update)      what lies there: sides of sticks, or values of dice; null for nothing
//     text(update), name(update)   the throw in words, and what such a throw is called if anything
//     read(random)       the throw as `lying` shows it, from the random bytes of the secret
//   deal                 if the server deals a board:
//     isDrawn(options)   whether it is drawn at random in such a game
//     dealt(update), read(random, options)   the board, and the same from the random bytes
// `random` has `byte()`, the next random byte, and `below(n)`, a number from 0 to n - 1; both are
// promises. See protocol.md, Dice.

import { KINDS } from "./boards/index.js";

export { KINDS };

/** The value of the option by which the rankings of a kind are separated, or "". */
export const rankedValue = (kind, options) => options[KINDS[kind]?.rankedBy] ?? "";
