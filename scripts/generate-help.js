import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs', 'reference.md')

const ask = (...args) =>
  execFileSync(process.execPath, [join(root, 'bin', 'pipe.js'), ...args], { encoding: 'utf8' })

/** Replaces the text between two markers of the page with the built program's output. */
function fill(text, marker, output) {
  const [before, rest] = text.split(`<!-- ${marker} -->\n`)
  const [, after] = rest.split(`<!-- /${marker} -->`)
  return `${before}<!-- ${marker} -->\n\`\`\`text\n${output}\`\`\`\n<!-- /${marker} -->${after}`
}

const old = readFileSync(page, 'utf8')
const filled = fill(fill(old, 'help', ask('--help')), 'exit-codes', ask('--help', 'exit-codes'))
if (filled !== old) writeFileSync(page, filled)
writeFileSync(join(root, 'man', 'pipe.1'), ask('help', '--man'))
