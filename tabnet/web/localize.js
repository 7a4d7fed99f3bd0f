// Texts of one language, for the page and for reports. Pure, without imports.

/**
 * Return `getText(key, values)` and `hasText(key)` for the texts of a language, and the locale by
 * which they choose plurals and format numbers. See languages/en.js.
 */
export function createTexts(texts, locale) {
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const formatValue = (value) => (typeof value === "number" ? numbers.format(value) : value);
  return {
    getText(key, values = {}) {
      const entry = texts[key];
      const form = typeof entry === "string" ? entry : entry[plurals.select(values.count)];
      return form.replace(/\{(\w+)\}/g, (_, name) => formatValue(values[name]));
    },
    hasText: (key) => Object.hasOwn(texts, key),
  };
}

/** Return the board of a kind, with `getText` and `hasText` for the texts of the kind. */
export function createKind(createBoard, texts, locale) {
  const { getText, hasText } = createTexts(texts, locale);
  return { ...createBoard(getText), getText, hasText };
}
