// The kinds of games of this server, each with its board and its texts.
//
// The folder boards/KIND/ has the board, in board.js, and the texts of each language: en.js and so
// on. These files import nothing, because the reports of tournaments embed them, too. board.js
// exports `createBoard(getText)`, which returns the board in the language of `getText`. An update
// below is an update of the protocol, or in a report the fields of the position with `options` and
// `event`.
//   colors               the names of its players in the protocol, in seat order
//   style                CSS: its look; --board-height is the height that is free for the board
//   clock                its standard clock, in the form of `join`
//   sizes, defaultSize   id -> the fields of `join` for it, and the first id to show
//   maxSeats             the maximum number of players, if more than two can play
//   rankedBy             the option by which its rankings are separated, if there is one; a `join`
//                        then needs it and a group
//   createStart(options) the first update of a game, as far as the board needs it
//   createRows(update, seat)   the cells as this seat sees them, row by row from the top; each has
//     key, name          its key on the board, and its name for screen readers
//     classNames, style  CSS classes, and CSS properties of its place
//     pieces             from the bottom up: classNames (one of them sets the colours --fill and
//                        --fill-text), text (for screen readers), label
//     count, label       the number of small items on it, and its name in the texts of a report
//   listCells(move)      the keys of the cells of a move of `moves`, or of a move event, in the
//                        order in which a player chooses them
//   nameCell(key)        the name of a cell in texts and lists, if it is not the key itself; in
//                        English the terminal gives it the same name
//   nameSize(id)         the name of a size
//   getNotifyFields(chosen, key, update)   the fields of `notify` for the cell `key` after the
//                        chosen cells, or null
//   getSelectedCells(update), getDeselectFields(update)   the cell that is selected on the server,
//                        and the fields of `notify` that deselect it
//   autoPlayAfter        the number of chosen cells after which the only possible move is played
//   describeGain(before, after)   the captures or gains of a move, in words, or ""
//   describeProgress(update, color)   the progress of a player, in words
//   prompt(update, n)    the request to choose the next cell after n cells, as a sentence
//   getScore(update, color)   the score of a player, if the kind has scores
//   throws               if the kind has throws:
//     equipment          what players throw: "sticks", "dice" or "die"
//     getValues(update)  the visible throw: sides of sticks, or values of dice; null for none
//     describe(update), getName(update)   the throw in words, and the name of such a throw, if any
//     compute(random)    the values of a throw, from the random bytes of the secret
//   deal                 if the server deals a board:
//     isRandom(options)  whether the board of such a game is random
//     getBoard(update), compute(random, options)   the board, and the same from the random bytes
// `random` has `byte()`, the next random byte, and `below(n)`, a number from 0 to n - 1; both are
// promises. See protocol.md, Dice.
//
// The texts have the form of languages/en.js. The page and the reports need these:
//   title, rules         its name, and the instructions for people in HTML
//   legend               the meaning of its pieces and numbers, for readers of a report
//   color.COLOR          the names of its players
//   reason.REASON        the reasons for which only this kind's games end, as sentences
//   code.CODE            the refusals of only this kind, by the codes of its package

import { BOARDS } from "./boards/index.js";
import { createKind } from "./localize.js";

/** The kinds by name, in the language that is shown. */
export const KINDS = {};

export const listKinds = () => Object.keys(BOARDS);

/** Use these texts from now on: those of each kind of `listKinds`. */
export function setKindTexts(textsOfKinds, locale) {
  listKinds().forEach((kind, index) => {
    KINDS[kind] = createKind(BOARDS[kind], textsOfKinds[index], locale);
  });
}

/** Return the value of the option by which the rankings of a kind are separated, or "". */
export const getRankedValue = (kind, options) => options[KINDS[kind]?.rankedBy] ?? "";
