import { describe, expect, it } from 'vitest'
import { termText } from '../../../src/cli/terms/term-text.ts'
import { findTerms, readTerms } from '../../../src/cli/terms/terms.ts'

const page = `# Terms

Rules come first.

## first-document

It has a chapter.

### Turn

One or more rounds: \`rounds\` counts them,
line by line.

| term | in code | on disk | on the wire | why it differs |
| --- | --- | --- | --- | --- |
| \`Turn\` | \`Turn\` | – | \`turn_start\`, \`turn_end\` | |
| \`Next(ctx)\` | \`Turn.next\` | \`next_one\` | same | \`done\` ends it |

### Turn (other)

Something else.

| term | in code | on disk | on the wire | why it differs |
| --- | --- | --- | --- | --- |
| \`StopReason\` | \`Turn.stopReason\` | \`stop_reason\` | \`reason\` | a reason that is long enough to be broken into two lines |

## Words of our own

| word | meaning |
| --- | --- |
| live rows | the rows that are \`redrawn\` |
`

const terms = readTerms(page)
const found = (word: string) =>
  findTerms(word, terms).map(({ name, rows }) => [name, ...rows.map(({ term }) => term)])

describe('a term', () => {
  it('is found by its name, however it is written', () => {
    const both = [
      ['Turn', 'Turn', 'Next(ctx)'],
      ['Turn', 'StopReason'],
    ]
    expect(['Turn', 'turn', 'TURN'].map(found)).toEqual([both, both, both])
    expect(['live rows', 'live_rows', 'LiveRows'].map(found)).toEqual(
      [['live rows'], ['live rows'], ['live rows']].map((one) => [one]),
    )
  })

  it('is found by a part of it, which then stands alone', () => {
    expect(['next', 'Next()', 'stop_reason', 'stop reason'].map(found)).toEqual([
      [['Turn', 'Next(ctx)']],
      [['Turn', 'Next(ctx)']],
      [['Turn', 'StopReason']],
      [['Turn', 'StopReason']],
    ])
  })

  it('is found by its names in code, on disk and on the wire', () => {
    expect(['turn_end', 'next_one', 'reason'].map(found)).toEqual([
      [['Turn', 'Turn']],
      [['Turn', 'Next(ctx)']],
      [['Turn', 'StopReason']],
    ])
  })

  it('is not found by other words, or by none', () => {
    expect(['rounds', 'term', '', '()'].map(found)).toEqual([[], [], [], []])
  })

  it('is a text for 80 columns', () => {
    expect(termText(findTerms('turn', terms))).toBe(`Turn (first-document)

  One or more rounds: rounds counts them, line by line.

  there      here
  Turn       Turn; turn_start, turn_end on the wire
  Next(ctx)  Turn.next; next_one on disk and on the wire. done ends it.

Turn (first-document)

  Something else.

  there       here
  StopReason  Turn.stopReason; stop_reason on disk, reason on the wire. A reason
              that is long enough to be broken into two lines.
`)
    expect(termText(findTerms('live rows', terms))).toBe(
      'live rows (Words of our own)\n\n  The rows that are redrawn.\n',
    )
  })
})
