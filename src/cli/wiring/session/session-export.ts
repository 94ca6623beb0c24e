import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { PipeError, unreachable } from '../../../error.ts'
import { openTranscript } from '../../../export/exported-transcript.ts'
import type { Reading } from '../../../export/reading.ts'
import { fileError, systemCode } from '../../../files/system-error.ts'
import type { SessionId } from '../../../id.ts'
import { resolvePath } from '../../../machine/path.ts'
import { isLoopMessage } from '../../../message.ts'
import type { Redact } from '../../../redaction/redaction.ts'
import type { Session } from '../../../session.ts'
import { printable } from '../../../terminal/printable.ts'
import type { Machine } from '../../machine.ts'
import { openRedactor } from '../audit/open-audit-log.ts'
import { openSessions } from '../session-records.ts'
import { type ExportFormat, formatOfFile } from './export-format.ts'
import { requireSaved } from './saved-session.ts'

/** Returns a session as a document, part by part, without secrets and hidden characters. Loads the renderer of the format. */
export async function exportParts(
  session: Session,
  format: ExportFormat,
  redact: Redact,
): Promise<Iterable<string>> {
  const reading = readingWith(redact)
  const transcript = () => openTranscript(session, reading)
  switch (format) {
    case 'json':
      return (await import('./session-json.ts')).sessionJson(session, redact)
    case 'html':
      return (await import('../../../export/html/page.ts')).renderPage(transcript())
    case 'md':
      return (await import('../../../export/markdown-export.ts')).renderMarkdown(transcript())
    case 'txt':
      return (await import('../../../export/text-export.ts')).renderText(transcript())
    default:
      return unreachable(format)
  }
}

function readingWith(redact: Redact): Reading {
  return {
    isLoopMessage,
    clean: (text) => {
      const kept = redact(text)
      const shown = printable(kept)
      // An escape sequence may have split a secret.
      return shown === kept ? kept : redact(shown)
    },
  }
}

/** Writes a document to a new file. Throws `input` if it exists or cannot be made, and otherwise `internal` with the reason. */
export function writeExport(path: string, parts: Iterable<string>): void {
  const descriptor = create(path)
  let isWhole = false
  try {
    for (const part of parts) writeFileSync(descriptor, part)
    isWhole = true
  } catch (error) {
    throw fileError(error, path, 'write')
  } finally {
    closeSync(descriptor)
    if (!isWhole) rmSync(path, { force: true })
  }
}

function create(path: string): number {
  try {
    return openSync(path, 'wx')
  } catch (error) {
    const message =
      systemCode(error) === 'EEXIST'
        ? `${path} already exists: name another file, or delete it first`
        : fileError(error, path, 'write').message
    throw new PipeError('input', message, { cause: error })
  }
}

export interface OpenExport {
  readonly machine: Machine
  /** Absent if nothing is saved. */
  readonly session: SessionId | undefined
  /** Absolute, relative to the working folder or below `~`. Default: a page named after the time of the last message. */
  readonly file: string | undefined
  readonly signal: AbortSignal
}

/** Exports a conversation that is open, as far as it is saved. Returns a report for the user. Throws `input`. */
export async function exportOpen({ machine, session: open, file, signal }: OpenExport): Promise<string> {
  const id = await requireSaved(open, 'exported', { machine, signal })
  const { session } = await openSessions(machine).load(id, { signal })
  const name = file ?? `pipe-${session.updatedAt.slice(0, 19).replace(/[^\dT]/g, '')}.html`
  const path = resolvePath(name, machine)
  writeExport(path, await exportParts(session, formatOfFile(name), await openRedactor(machine)))
  return `exported to ${path}`
}
