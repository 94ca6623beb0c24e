import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { drawTable } from '../../../src/ink/markdown/markdown-table.ts'
import { Painter } from '../../../src/ink/paint/painter.tsx'
import { type Line, line, lineText, wrap } from '../../../src/ink/rows/line.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'
import { createTrees } from './scenes.ts'

/** Words that terminals measure in different ways, some of them wider than any count. */
const samples = [
  ...[
    'word',
    '日本語',
    'क्षि',
    'हिन्दी',
    'नमस्ते',
    'กำลัง',
    'ภาษาไทย',
    'ພາສາລາວ',
    'தமிழ்',
    'తెలుగు',
    'മലയാളം',
    'မြန်မာ',
    'ខ្មែរ',
  ],
  ...[
    '👍🏽',
    '👨\u200d👩\u200d👧\u200d👦',
    '👩🏽\u200d🚀',
    '🇩🇪',
    '❤️',
    '☝🏽',
    '#️⃣',
    '⚠️',
    'so\u00adft',
    'e\u0301',
    '각',
    'עִבְרִית',
    'عَرَبِي',
  ],
]
const widths = [20, 31, 40, 66, 80, 101]
const height = 12

/** Rows of numbered words: the numbers tell where each word stands. */
function rowsOf(words: readonly string[], from: number, columns: number): Line[] {
  return wrap(line(words.map((word, i) => `${from + i}${word}`).join(' ')), columns)
}

interface Frame {
  readonly finished: readonly Line[]
  readonly live: readonly Line[]
}

/** Streams paragraphs: each is live word by word, then finished above the status. */
function framesOf(paragraphs: readonly (readonly string[])[], columns: number): readonly Frame[] {
  const status: Line[] = [line('>'), line(`status ${samples.slice(2, 6).join(' ')}`.slice(0, columns / 2))]
  return paragraphs.flatMap((words, i): readonly Frame[] => {
    const whole = rowsOf(words, 100 * (i + 1), columns)
    const steps = words.map((_, count) => rowsOf(words.slice(0, count + 1), 100 * (i + 1), columns).slice(-6))
    return [
      ...steps.map((draft) => ({ finished: [], live: [...draft, ...status] })),
      { finished: whole, live: status },
    ]
  })
}

/** Returns the bytes of these frames. */
function bytesOf(frames: readonly Frame[], columns: number): string {
  let bytes = ''
  const write = (written: string) => {
    bytes += written
  }
  const painter = new Painter({ stdout: process.stdout, clock: createHandClock(), write })
  const size = { columns, rows: 60 }
  const treeOf = createTrees(size)
  for (const { finished, live } of frames) painter.paint(treeOf(finished, live), size)
  painter.close()
  return bytes
}

/** Returns the numbers of the words in each row. */
function numbersIn(rows: readonly string[]): readonly string[] {
  return rows.map((row) => (row.match(/\d{3}|>|status/g) ?? []).join(' '))
}

function sentRows(frames: readonly Frame[]): readonly string[] {
  const rows = [...frames.flatMap(({ finished }) => finished), ...(frames.at(-1)?.live ?? [])]
  return numbersIn(rows.map(lineText))
}

/** Returns all rows that an xterm shows. */
async function onXterm(bytes: string, columns: number): Promise<readonly string[]> {
  const emulator = new Terminal({
    cols: columns,
    rows: height,
    scrollback: 5_000,
    allowProposedApi: true,
    convertEol: true,
  })
  await new Promise<void>((resolve) => emulator.write(bytes, resolve))
  const { active } = emulator.buffer
  const count = active.baseY + active.cursorY
  const rows = Array.from({ length: count }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
  emulator.dispose()
  return rows
}

/** Returns all rows that a tmux shows. */
async function onTmux(bytes: string, columns: number): Promise<readonly string[]> {
  const file = join(await folderWith({ bytes }), 'bytes')
  const name = `pipe-widths-${randomUUID()}`
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-L', name, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    })
  const size = ['-x', String(columns), '-y', String(height)]
  try {
    tmux('new-session', '-d', ...size, `cat '${file}'; tmux -L ${name} wait-for -S shown; sleep 60`)
    tmux('wait-for', 'shown')
    return tmux('capture-pane', '-p', '-S', '-').trimEnd().split('\n')
  } finally {
    tmux('kill-server')
  }
}

const hasTmux = spawnSync('tmux', ['-V']).status === 0
const paragraph = fc.array(fc.constantFrom(...samples), { minLength: 1, maxLength: 40 })

describe('rows of any writing system', () => {
  sizedIt('stand on the screen as they were sent, each once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(paragraph, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...widths),
        async (paragraphs, columns) => {
          const frames = framesOf(paragraphs, columns)
          expect(numbersIn(await onXterm(bytesOf(frames, columns), columns))).toEqual(sentRows(frames))
        },
      ),
      { numRuns: sized(100, 20) },
    )
  })

  sizedIt.skipIf(!hasTmux).each(sized(widths, [31, 80]))(
    'stand as they were sent in tmux too, at %d columns',
    async (columns) => {
      const turned = (by: number) => [...samples.slice(by), ...samples.slice(0, by)]
      const frames = framesOf(
        [turned(0), turned(7), samples.flatMap((one) => [one, one]), turned(11)],
        columns,
      )
      expect(numbersIn(await onTmux(bytesOf(frames, columns), columns))).toEqual(sentRows(frames))
    },
  )
})

quickDescribe('the bars of a table', () => {
  const table = {
    header: [line('name'), line('text'), line('end')],
    rows: samples.map((one) => [line('a'), line(one), line('z')]),
    align: [null, 'right', null] as const,
  }
  const frames = [{ finished: drawTable(table, 60), live: [line('>')] }]
  const bars = /[│┼]/

  it('stand below each other', async () => {
    const emulator = new Terminal({ cols: 60, rows: 60, allowProposedApi: true, convertEol: true })
    await new Promise<void>((resolve) => emulator.write(bytesOf(frames, 60), resolve))
    const columns = Array.from({ length: 2 + samples.length }, (_, y) => {
      const row = emulator.buffer.active.getLine(y)
      return Array.from({ length: 60 }, (_, x) => x).filter((x) => row?.getCell(x)?.getChars().match(bars))
    })
    emulator.dispose()
    expect(new Set(columns.map(String)).size).toBe(1)
  })
})
