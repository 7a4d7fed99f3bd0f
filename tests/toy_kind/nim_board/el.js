// The texts of Nim in Greek.

export const TEXTS = {
  "title": "Νιμ",
  "rules": "<h3>Νιμ</h3><p>Ρίξτε το ζάρι και πάρτε το πολύ τόσες πέτρες. Η τελευταία πέτρα κερδίζει.</p>",
  "legend": "Ένας δίσκος είναι μια πέτρα.",
  "color.Amber": "Κεχριμπάρι",
  "color.Jade": "Νεφρίτης",
  "stone": "πέτρα {number}",
  "there": "υπάρχει",
  "stones": { one: "{count} πέτρα", other: "{count} πέτρες" },
  "prompt": { one: "Πάρτε μία πέτρα.", other: "Πάρτε έως {count} πέτρες." },
  "reason.last_stone": "Η τελευταία πέτρα αφαιρέθηκε.",
  "code.too_many": "Το ζάρι επιτρέπει λιγότερες πέτρες.",
};
