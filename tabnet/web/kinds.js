// The kinds of games that the page can show.

import { draughts } from "./boards/draughts.js";
import { fish } from "./boards/fish.js";
import { plakoto } from "./boards/plakoto.js";
import { tab } from "./boards/tab.js";

/**
 * kind -> its board, which is data and functions of an update:
 *   title, colors (in the order of the seats), throws ("sticks", "dice" or nothing)
 *   start(options)       the update that a game begins with, as far as the board needs it
 *   rows(update, seat)   the cells as this seat sees them, row by row from the top
 *   path(move)           the cells to be chosen, one after the other, for a move of `moves`
 *   tried(taken, key)    the fields of `notify` that choosing this cell would stand for, or null
 *   decisive             after how many of them the only move left is played
 *   touched(event)       the cells of the last move
 *   seatsMost            how many can play, if more than two can
 *   tally(update, color) how far a player is, in words
 *   prompt(update, n)    what is to be chosen next, when n cells have been
 *   sizes                label -> the fields of `join` for it
 */
export const KINDS = { tab, draughts, fish, plakoto };
