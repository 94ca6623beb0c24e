import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { run } from './run.js'

/** Largest size of the packed package in bytes. Half of it is the parser of shell commands. */
const maxBytes = 4_000_000

/** The executable starts as a shell script, and npm links it like any other. */
const accepted = ['BIN_FILE_NOT_EXECUTABLE']

/** Packs the built package and checks its size, its manifest and its types. Returns the faults and whether there are none. */
export async function checkPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-package-'))
  try {
    const packed = await run(['node', 'scripts/pack.js', folder])
    if (!packed.ok) return packed
    const tarball = packed.output.trim()
    const types = await run(['attw', tarball, '--profile', 'esm-only'])
    const faults = [...checkSize(tarball), ...(await lint(tarball)), ...(types.ok ? [] : [types.output])]
    return { ok: faults.length === 0, output: faults.join('\n') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function checkSize(tarball) {
  const { size } = statSync(tarball)
  return size <= maxBytes ? [] : [`the package has ${size} bytes; at most ${maxBytes} are allowed`]
}

async function lint(tarball) {
  const bytes = readFileSync(tarball)
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  return messages.filter(({ code }) => !accepted.includes(code)).map((one) => formatMessage(one, pkg))
}
