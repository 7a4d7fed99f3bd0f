// The texts of the page, each a whole sentence or label with its values in braces. A text with
// plurals has a form for each category of Intl.PluralRules; its value `count` chooses the form.

const LANGUAGE = "en";

const TEXTS = {
  "title": "tabnet",
  "title.yourTurn": "Your turn · tabnet",
  "oneMoment": "One moment…",
  "chooseGame": "Choose a game and press Start",
  "start": "Start",
  "continue": "Continue",
  "unfinished": "You have an unfinished game of {game} against {bot}. To begin another one, resign this one first.",
  "bot": "Bot {name}",
  "bot.easy": "Bot {name}, easy",
  "bot.medium": "Bot {name}, medium",
  "bot.hard": "Bot {name}, hard",
  "people.anyone": "A person: the first to join",
  "people.friend": "A person: a friend, by a link",

  "clock.standard": "Standard: {clock}",
  "clock.blitz": "Blitz: {clock}",
  "clock.rapid": "Rapid: {clock}",
  "clock.long": "Long: {clock}",
  "clock.custom": "My own",
  "clock.move": "{duration} a move",
  "clock.total": "{duration} in all",
  "clock.increment": "{duration} and {seconds} s a move",
  "seconds": { one: "{count} second", other: "{count} seconds" },
  "minutes": { one: "{count} minute", other: "{count} minutes" },

  "you": "You",
  "guest": "Guest {id}",
  "aFriend": "a friend",
  "aPerson": "a person",

  "invited": { one: "{players} invites you to a game", other: "{players} invite you to a game" },
  "invited.gone": "This link is used up",
  "invited.gone.why": "The game has begun, or the invitation has ended.",
  "invited.join": "Join {players}",
  "invited.game": "Game",
  "invited.clock": "Clock",
  "invited.players": "Players",
  "invited.by": "Invited by",

  "wait.friend": "Waiting for your friend",
  "wait.again": "Waiting for an answer: the others see that you want to play again",
  "wait.anyone": "Waiting for an opponent",
  "wait.more": { one: "Waiting for more players: {count} is here", other: "Waiting for more players: {count} are here" },
  "wait.stop": "Stop waiting",
  "gone": "No opponent came",
  "gone.why": "Try again later, or play against a bot.",
  "gone.error": "Nobody won",

  "turn.yours": "Your turn.",
  "turn.yours.wait": "Your turn. One moment…",
  "turn.throws": "{player} is to throw",
  "turn.plays": "{player} is to play",
  "due.roll.sticks": "Throw the sticks.",
  "due.roll.dice": "Throw the dice.",
  "due.roll.die": "Throw the die.",
  "due.again.sticks": "No legal move: throw the sticks again.",
  "due.again.dice": "No legal move: throw the dice again.",
  "due.again.die": "No legal move: throw the die again.",
  "due.pass": "No legal move: you have to pass.",
  "due.salt": "Waiting for the salts of the dice.",
  "throw.sticks": "Throw the sticks",
  "throw.dice": "Throw the dice",
  "throw.die": "Throw the die",
  "throw.again": "{throw}: throw again",
  "thrown.sticks": "The sticks",
  "thrown.dice": "The dice",
  "thrown.die": "The die",

  "event.roll": "{player} threw {throw}.",
  "event.roll.you": "You threw {throw}.",
  "event.move": "{player} played {move}.",
  "event.move.you": "You played {move}.",
  "event.pass": "{player} passed.",
  "event.pass.you": "You passed.",
  "event.offer": "{player} offered a draw.",
  "event.offer.you": "You offered a draw.",
  "event.withdraw": "{player} withdrew the draw offer.",
  "event.withdraw.you": "You withdrew the draw offer.",
  "event.leave": "{player} resigned.",
  "event.leave.you": "You resigned.",
  "event.timeout": "{player} ran out of time.",
  "event.timeout.you": "You ran out of time.",
  "event.illegal_move": "{player} made an illegal move.",
  "event.illegal_move.you": "You made an illegal move.",

  "end.won": "You won",
  "end.won.score": "You won, {own} to {other}",
  "end.lost": "You lost",
  "end.lost.score": "You lost, {own} to {other}",
  "end.lost.to": "You lost to {players}",
  "end.drawn": "A draw",
  "end.drawn.score": "A draw, {own} to {other}",
  "end.nobody": "Nobody won",
  "end.winners": { one: "{players} won", other: "{players} won" },
  "end.winners.score": "{players} won, {own} to {other}",
  "reason.no_moves": "No legal move is left.",
  "reason.agreed": "The players agreed.",
  "reason.timeout": "The salts did not come in time.",
  "reason.others_out": "All other players are out.",
  "reason.ended": "The operator ended the game.",
  "reason.error": "The server closed the game after an error.",
  "reason.abandoned": "All players left the game.",
  "again": "Play again",
  "again.accept": "Play again with {players}",
  "again.offered": { one: "{players} wants to play again", other: "{players} want to play again" },
  "link.copied": "Copied",
  "link.copy": "Copy link",

  "players.away": "{progress} (away)",
  "draw.offer": "Offer a draw",
  "draw.accept": "Accept the draw",
  "draw.withdraw": "Withdraw the draw offer",
  "resign": "Resign",
  "replay.position": "{step} of {steps}",
  "replay.earlier": "This is an earlier position. The button » leads back to the latest.",
  "verified": { one: "✓ Verified: {count} throw", other: "✓ Verified: {count} throws" },
  "verified.deal": "✓ Verified: the dealt board",
  "unverified": { one: "✗ Verification failed: {count} throw", other: "✗ Verification failed: {count} throws" },
  "unverified.deal": "✗ Verification failed: the dealt board",
  "verification.impossible": "This page can verify throws only over HTTPS, or on the server’s own machine.",

  "error.notShown": "This match cannot be shown",
  "error.notShownYet": "This match cannot be shown yet",
  "error.lost": "The connection is lost. Reconnecting…",
  "error.unreachable": "The server cannot be reached.",
  "error.perhapsPlayed": "The server cannot be reached. The next update shows whether this was played.",
  "error.notYourTurn": "It is not your turn: {player} is to play.",
  "error.throwFirst": "Throw first.",
  "error.passNow": "You have no legal move: pass.",
  "error.noPiece": "You have no piece there that can move.",

  "lists.game": "{game}: {players}, step {step}",
  "lists.seat": "{game} against {opponent}",
  "lists.seat.over": "{game} against {opponent}, over: replay",
  "lists.aGame": "A game",
  "lists.noneOwn": "You have no games yet.",
  "lists.noneRunning": "No game is being played.",
  "ranking.empty": "This ranking is empty: only games between people who are signed in count.",
  "ranking.group": "{game}, group {group}",
  "account.guest": "Guest",
};

const plurals = new Intl.PluralRules(LANGUAGE);
const lists = new Intl.ListFormat(LANGUAGE);

/** Return a text with its values. */
export function getText(key, values = {}) {
  const entry = TEXTS[key];
  const form = typeof entry === "string" ? entry : entry[plurals.select(values.count)];
  return form.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export const hasText = (key) => key in TEXTS;

/** Return names as a list: "ana, bob, and zp". */
export const formatList = (names) => lists.format(names);
