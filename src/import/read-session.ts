import { PipeError } from '../error.ts'
import type { TextLine } from '../files/reading/split-lines.ts'
import { cleanTitle, namedLength } from '../history/title-text.ts'
import type { NewId } from '../id.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Damage } from '../session.ts'
import type { Format, FormatReader } from './agent-format.ts'
import { claudeCode } from './claude/claude-code.ts'
import { codex } from './codex/codex.ts'
import { gemini } from './gemini/gemini.ts'
import { ImportedDocument } from './imported-document.ts'
import { type Made, makeMessages } from './imported-messages.ts'
import type { LeftOut } from './left-out.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { SessionDraft } from './session-draft.ts'

/** A session of another agent, as pipe holds it. */
export interface ForeignSession extends Made {
  /** The agent's name. */
  readonly agent: string
  /** The session's id in that agent. Absent if the file lost it. */
  readonly sourceId?: string
  /** The folder it was about, as written in the file. */
  readonly cwd?: string
  readonly title?: string
  /** Another agent began it, not the user. */
  readonly isOfSubAgent?: boolean
  readonly leftOut: readonly LeftOut[]
  /** Lines that cannot be read. */
  readonly damage: readonly Damage[]
}

export interface ReadingSession {
  readonly newId: NewId
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether what was read so far is enough. Default: reads on to the end. */
  readonly isEnough?: (draft: SessionDraft) => boolean
}

/** A line of a session. */
export interface SessionLine extends TextLine {
  /** The name of the file that holds it, if that is another one. */
  readonly from?: string
}

const formats: readonly Format[] = [claudeCode, codex, gemini, opencode, pi]

/** Maximum bytes of a line, and of all lines. */
export const maxLineBytes = 64 * 1024 * 1024
const maxBytes = 1024 ** 3

/** Maximum lines before the first one of a known format. */
const mostUnknown = 1_000

/** Maximum damaged lines that are reported one by one. */
const mostReported = 1_000

/**
 * Reads a session of another agent, recognised by its lines, or one JSON document. Names what cannot be expressed, and skips lines that
 * cannot be read. Throws `input` with the line if it is of no known agent or too large.
 */
export async function readSession(
  lines: AsyncIterable<SessionLine>,
  { newId, now, isEnough = () => false }: ReadingSession,
): Promise<ForeignSession> {
  const scan = new Scan()
  for await (const line of lines) {
    scan.take(line)
    if (isEnough(scan.draft)) break
  }
  const { agent, draft, damage } = scan.finish()
  const made = makeMessages(draft.tree, { newId, now, leaveOut: draft.leaveOut })
  const title = cleanTitle(draft.title ?? '', namedLength) || undefined
  const { sourceId, cwd, isOfSubAgent, leftOut } = draft
  return {
    agent,
    ...omitUndefined({ sourceId, cwd, title }),
    ...(isOfSubAgent ? { isOfSubAgent } : {}),
    ...made,
    leftOut,
    damage,
  }
}

/** Reads lines in the format that recognises one of them first. */
class Scan {
  readonly draft = new SessionDraft()
  readonly #damage: Damage[] = []
  #format: Format | undefined
  #reader: FormatReader | undefined
  /** The number of the first line that no format recognises. */
  #unknown: number | undefined

  /** The lines so far, if they may be one document. */
  #document: ImportedDocument<SessionLine> | undefined

  take(line: SessionLine): void {
    if (this.#document !== undefined) {
      this.#document.add(line)
      if (this.#document.isFull) this.#spread(this.#document)
      return
    }
    const bytes = textOf(line)
    if (isBlank(bytes)) return
    const isFirst = this.#unknown === undefined && this.#format === undefined
    if (!isFirst || !ImportedDocument.begins(bytes)) this.#takeLine(line, bytes)
    else {
      this.#document = new ImportedDocument()
      this.#document.add(line)
    }
  }

  /** Takes lines that are no document one by one. */
  #spread({ lines }: ImportedDocument<SessionLine>): void {
    this.#document = undefined
    for (const line of lines) if (!isBlank(textOf(line))) this.#takeLine(line, textOf(line))
  }

  #takeLine(line: SessionLine, bytes: Buffer): void {
    const { number, start } = line
    if (start + bytes.length > maxBytes) throw wrong(number, 'the session is larger than 1 GiB')
    if (number === 1 && bytes.indexOf(packedMark) === 0)
      throw wrong(1, 'the file is compressed: unpack it with zstd -d')
    const value = bytes[0] === brace && bytes.length < maxLineBytes ? parseJson(String(bytes)) : undefined
    if (isJsonObject(value)) this.#read(value)
    else this.#report(line)
    if (this.#format !== undefined) return
    this.#unknown ??= number
    if (number > mostUnknown) throw noSession(this.#unknown)
  }

  finish(): { readonly agent: string; readonly draft: SessionDraft; readonly damage: readonly Damage[] } {
    this.#endDocument()
    if (this.#format === undefined)
      throw this.#unknown === undefined ? new PipeError('input', 'it is empty') : noSession(this.#unknown)
    this.#reader?.end()
    return { agent: this.#format.agent, draft: this.draft, damage: this.#damage }
  }

  #endDocument(): void {
    const document = this.#document
    const value = document?.parse()
    if (document === undefined) return
    this.#unknown = document.lines[0]?.number
    if (value === undefined) this.#spread(document)
    else this.#read(value)
  }

  #read(value: JsonObject): void {
    this.#format ??= formats.find((format) => format.recognises(value))
    this.#reader ??= this.#format?.open(this.draft)
    if (this.#reader === undefined) this.draft.leaveOut('unknown lines')
    else this.#reader.read(value)
  }

  #report(line: SessionLine): void {
    const reason = line.from === undefined ? faultOf(line) : `in ${line.from}: ${faultOf(line)}`
    if (this.#damage.length < mostReported) this.#damage.push({ line: line.number, reason })
    else this.draft.leaveOut('more lines that cannot be read')
  }
}

const brace = 0x7b

/** How a file begins that Codex has packed. RFC 8878, section 3.1.1. */
const packedMark = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Returns the bytes of a line without the byte order mark. */
function textOf({ number, bytes, from }: SessionLine): Buffer {
  return number === 1 && from === undefined ? withoutMark(bytes) : bytes
}

/** Removes the byte order mark that some editors add to a file. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/** Whether a line holds only blanks, tabs and returns. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

function faultOf({ bytes, whole }: TextLine): string {
  if (bytes.length >= maxLineBytes) return 'the line is longer than 64 MiB'
  return whole ? 'the line is not JSON, or nested too deeply' : 'the file ends in the middle of this line'
}

function noSession(line: number): PipeError {
  return wrong(line, 'not the line of a session of Claude Code, Codex, Gemini CLI, opencode or pi')
}

function wrong(line: number, reason: string): PipeError {
  return new PipeError('input', `line ${line}: ${reason}`, { details: { line: String(line) } })
}
