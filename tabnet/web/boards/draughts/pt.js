// The texts of Draughts in Portuguese.

export const TEXTS = {
  "title": "Damas",
  "legend": "Uma peça com coroa é uma dama.",
  "color.White": "Brancas",
  "color.Black": "Pretas",
  "piece.White.man": "peão branco",
  "piece.White.king": "dama branca",
  "piece.Black.man": "peão preto",
  "piece.Black.king": "dama preta",
  "prompt.piece": "Escolha uma peça. As capturas são obrigatórias.",
  "prompt.destination": "Escolha o destino.",
  "progress": { one: "{count} peça", other: "{count} peças" },
  "gain": { one: "uma captura", other: "{count} capturas" },
  "reason.no_pieces": "Não resta nenhuma peça.",
  "reason.repetition": "A posição ocorreu pela terceira vez.",
  "reason.forty_moves": "Cada lado fez quarenta jogadas sem uma captura ou um movimento de peão.",
  "code.must_capture": "Há uma captura possível, e é obrigatória.",
  "code.must_continue": "É obrigatório continuar a captura.",
  "code.too_far": "A jogada termina mais cedo.",
  "code.no_capture": "Não há aí nenhuma peça do adversário para saltar.",
  "rules": `
<h3>Damas</h3>
<p>Capture ou bloqueie todas as peças do adversário. Usam-se apenas as casas escuras. As brancas começam.</p>
<ul>
  <li>Os peões movem-se e saltam na diagonal, para a frente; as damas também para trás.</li>
  <li>Quem pode capturar é obrigado a fazê-lo, e continua enquanto puder. Pode escolher qualquer captura: clique casa após casa.</li>
  <li>Um peão que chega à última fila torna-se dama, e a sua jogada termina.</li>
  <li>O jogo termina empatado quando uma posição ocorre pela terceira vez, ou depois de quarenta jogadas de cada lado sem uma captura ou um movimento de peão.</li>
</ul>
`,
};
