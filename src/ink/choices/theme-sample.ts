import { type Line, line, span } from '../rows/line.ts'

/** A few rows with the colours that a theme decides, for a preview. */
export const themeSample: readonly Line[] = [
  [span('▌ ', { color: 'accent', tint: 'said' }), span('the totals are wrong      ', { tint: 'said' })],
  [span('● ', { color: 'good' }), span('bash '), span('npm test   1.2 s', { color: 'muted' })],
  [span('✗ ', { color: 'bad' }), span('read '), span('no such file', { color: 'muted' })],
  [
    span(' 7 - total = ', { tint: 'removed' }),
    span('count', { tint: 'removed_word' }),
    span(' + 1      ', { tint: 'removed' }),
  ],
  [
    span(' 7 + total = ', { tint: 'added' }),
    span('sum', { tint: 'added_word' }),
    span(' + 1        ', { tint: 'added' }),
  ],
  [
    span('const ', { color: 'keyword' }),
    span('name'),
    span(' = '),
    span("'pipe'", { color: 'string' }),
    span(' // a comment', { color: 'comment' }),
  ],
  line('a heading', { color: 'heading', bold: true }),
]
