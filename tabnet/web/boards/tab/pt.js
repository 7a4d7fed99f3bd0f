// The texts of Tab in Portuguese.

export const TEXTS = {
  "title": "Tab",
  "legend": "Uma peça oca ainda não se moveu, uma cheia está em movimento, uma com anel já esteve na última fila.",
  "color.Blue": "Azuis",
  "color.Red": "Vermelhas",
  "size": { one: "{count} coluna", other: "{count} colunas" },
  "cell": "casa {number}",
  "piece.Blue.fresh": "peça azul, ainda não se moveu",
  "piece.Blue.moved": "peça azul, já se moveu",
  "piece.Blue.veteran": "peça azul, já esteve na última fila",
  "piece.Red.fresh": "peça vermelha, ainda não se moveu",
  "piece.Red.moved": "peça vermelha, já se moveu",
  "piece.Red.veteran": "peça vermelha, já esteve na última fila",
  "prompt.piece": "Escolha uma peça para avançar {throw}.",
  "prompt.destination": "Escolha o destino.",
  "progress": { one: "{count} peça", other: "{count} peças" },
  "gain": { one: "uma captura", other: "{count} capturas" },
  "reason.all_captured": "A última peça foi capturada.",
  "code.first_move": "O primeiro movimento de uma peça exige um lançamento de 1, um Tab.",
  "code.blocked_row": "Uma peça na última fila fica lá enquanto houver peças suas na fila inicial.",
  "rules": `
<h3>Tab</h3>
<p>Capture todas as peças do adversário. Na sua vez, cada jogador lança quatro paus. O valor é o número de lados claros virados para cima; nenhum lado claro vale 6.</p>
<table>
  <thead><tr><th scope="col">Lados claros</th><th scope="col">Nome</th><th scope="col">Valor</th><th scope="col">Lançar de novo</th><th scope="col">Probabilidade</th></tr></thead>
  <tbody>
    <tr><td>0</td><td>Sitteh</td><td>6</td><td>sim</td><td>6 %</td></tr>
    <tr><td>1</td><td>Tab</td><td>1</td><td>sim</td><td>25 %</td></tr>
    <tr><td>2</td><td>Itneyn</td><td>2</td><td>não</td><td>38 %</td></tr>
    <tr><td>3</td><td>Telateh</td><td>3</td><td>não</td><td>25 %</td></tr>
    <tr><td>4</td><td>Arba’ah</td><td>4</td><td>sim</td><td>6 %</td></tr>
  </tbody>
</table>
<ul>
  <li>O primeiro movimento de uma peça exige um lançamento de 1, um Tab. Uma peça oca ainda não se moveu; uma com anel já esteve na última fila.</li>
  <li>As peças movem-se ao longo das filas, como mostram as setas no tabuleiro. Da terceira fila, uma peça segue para a quarta ou volta à segunda: a escolha é sua.</li>
  <li>Uma peça entra na última fila uma só vez, e fica lá enquanto houver peças suas na fila inicial. Nunca volta à fila inicial.</li>
  <li>Quem move para a casa de uma peça do adversário captura-a. Não é possível mover para uma casa com uma peça sua.</li>
  <li>Quem tem uma jogada legal é obrigado a jogar. Depois de 1, 4 e 6, lança-se de novo. Depois de 2 e 3, sem jogada legal, passa-se a vez.</li>
</ul>
`,
};
