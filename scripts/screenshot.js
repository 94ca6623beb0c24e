// Draws docs/screen.svg: the built program on a pseudo terminal, playing the demo's conversation in its terminal UI.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'

const root = join(import.meta.dirname, '..')
const [columns, rows] = [100, 40]
const [cellWidth, cellHeight] = [8.4, 18]

const script = JSON.parse(readFileSync(join(root, 'src', 'cli', 'commands', 'demo', 'script.json'), 'utf8'))

/** Creates a folder with the demo's project and its recording. */
function makeProject() {
  const home = mkdtempSync(join(tmpdir(), 'pipe-screen-'))
  const cwd = join(home, 'words')
  for (const [path, text] of Object.entries(script.files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd })
  writeFileSync(join(home, 'recorded'), JSON.stringify(script))
  return { home, cwd, remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** Plays the conversation. Returns the terminal after the model's last word. */
async function play({ home, cwd }) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    PIPE_HOME: join(home, 'pipe'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  }
  const args = [join(root, 'bin', 'pipe.js'), '--yolo', '--trust', '-m', 'replay/../recorded']
  const child = spawn(process.execPath, args, { cols: columns, rows, cwd, env })
  child.onData((data) => terminal.write(data))
  const until = async (pattern) => {
    while (!pattern.test(textOf(terminal))) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await until(/›/)
  child.write(`${script.prompt}\r`)
  await until(/three\s+tests\s+pass\.\s+›/)
  child.kill('SIGKILL')
  return terminal
}

const lineOf = ({ buffer: { active } }, row) => active.getLine(active.baseY + row)
const textOf = (terminal) =>
  Array.from({ length: rows }, (_, row) => lineOf(terminal, row)?.translateToString(true)).join('\n')

/** The sixteen colours of a calm dark terminal. */
const palette =
  '#1c1f26 #e06c75 #98c379 #d9b36c #61afef #c678dd #56b6c2 #c8ccd4 #6b7280 #f08a92 #b1d196 #e8c98a #86c1f5 #d79be8 #7cc9d3 #ffffff'.split(
    ' ',
  )

function styleOf(cell) {
  const color = cell.isFgPalette() ? (palette[cell.getFgColor()] ?? palette[7]) : palette[7]
  return [
    `fill="${color}"`,
    cell.isBold() ? 'font-weight="bold"' : '',
    cell.isDim() ? 'opacity="0.6"' : '',
    cell.isItalic() ? 'font-style="italic"' : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Splits a line into runs of one style, each with its first column. */
function runsOf(line) {
  const runs = []
  for (let x = 0; x < columns; x++) {
    const cell = line?.getCell(x)
    if (cell === undefined || cell.getWidth() === 0) continue
    const style = styleOf(cell)
    const last = runs.at(-1)
    if (last?.style === style) last.text += cell.getChars() || ' '
    else runs.push({ x, style, text: cell.getChars() || ' ' })
  }
  return runs.filter(({ text }) => text.trim() !== '')
}

const escaped = (text) => text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one])

function draw(terminal) {
  const texts = Array.from({ length: rows }, (_, row) =>
    runsOf(lineOf(terminal, row)).map(
      ({ x, style, text }) =>
        `<text x="${(12 + x * cellWidth).toFixed(1)}" y="${26 + row * cellHeight}" ${style} xml:space="preserve">${escaped(text.trimEnd())}</text>`,
    ),
  ).flat()
  const [width, height] = [24 + columns * cellWidth, 28 + rows * cellHeight]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<title>The terminal UI of pipe after it fixed a bug</title>
<rect width="${width}" height="${height}" rx="8" fill="${palette[0]}"/>
${texts.join('\n')}
</svg>
`
}

const project = makeProject()
try {
  writeFileSync(join(root, 'docs', 'screen.svg'), draw(await play(project)))
} finally {
  project.remove()
}
process.exit()
