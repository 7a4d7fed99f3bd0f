// Words that more than one board needs.

/** So many of something: "1 piece", "2 pieces". */
export const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
