import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { LanguageSetup } from '../machine/language-setup.ts'
import { type CleanMessage, type FileError, readErrors } from './file-error.ts'
import type { ProtocolLink } from './protocol-link.ts'

/** A file whose text a server knows from us. */
export interface OpenDocument {
  readonly path: string
  readonly uri: string
  text: string
  version: number
  /** The errors of this text, once they are known. */
  errors: readonly FileError[] | undefined
  /** The errors that the server published last about it. */
  published: PublishedErrors | undefined
}

/** The errors of a file, as a server published them. */
export interface PublishedErrors {
  readonly path: string
  /** Absent if the server does not say which version it is about. */
  readonly version: number | undefined
  readonly errors: readonly FileError[]
}

/** Most files that are open at a server: each holds memory there and here. */
const mostOpen = 20

/** The files that are open at a server, the one used last at the end. */
export class OpenDocuments {
  readonly #link: Pick<ProtocolLink, 'notify'>
  readonly #languageIds: LanguageSetup['languageIds']
  readonly #open = new Map<string, OpenDocument>()

  constructor(link: Pick<ProtocolLink, 'notify'>, { languageIds }: Pick<LanguageSetup, 'languageIds'>) {
    this.#link = link
    this.#languageIds = languageIds
  }

  /** Gives the server this text of a file. */
  show(path: string, text: string): OpenDocument {
    const known = this.#open.get(path)
    if (known === undefined) return this.#add(path, text)
    this.#open.delete(path)
    this.#open.set(path, known)
    if (known.text === text) return known
    known.text = text
    known.version += 1
    known.errors = undefined
    known.published = undefined
    const textDocument = { uri: known.uri, version: known.version }
    this.#link.notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] })
    return known
  }

  /** Notes what the server published about a file that is open. */
  note(published: PublishedErrors): void {
    const known = this.#open.get(published.path)
    if (known !== undefined) known.published = published
  }

  /** Whether the server named the version of what it published last about a file; `undefined` if it published nothing. */
  namesVersion(path: string): boolean | undefined {
    const published = this.#open.get(path)?.published
    return published && published.version !== undefined
  }

  #add(path: string, text: string): OpenDocument {
    for (const [other, { uri }] of this.#open) {
      if (this.#open.size < mostOpen) break
      this.#link.notify('textDocument/didClose', { textDocument: { uri } })
      this.#open.delete(other)
    }
    const uri = pathToFileURL(path).href
    const document: OpenDocument = { path, uri, text, version: 1, errors: undefined, published: undefined }
    this.#open.set(path, document)
    const languageId = this.#languageIds[extname(path)] ?? ''
    this.#link.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } })
    return document
  }
}

/** Returns the path of a file that a server names; `undefined` if it names none. */
export function pathOfUri(uri: JsonValue | undefined): string | undefined {
  if (typeof uri !== 'string' || !uri.startsWith('file:')) return undefined
  try {
    return fileURLToPath(uri)
  } catch {
    // Not every URL of a file is a path of this machine.
    return undefined
  }
}

/** Reads a notification about errors; `undefined` if it names no file. */
export function readPublished(
  params: JsonValue | undefined,
  clean: CleanMessage,
): PublishedErrors | undefined {
  const path = isJsonObject(params) ? pathOfUri(params['uri']) : undefined
  if (!isJsonObject(params) || path === undefined) return undefined
  const version = params['version']
  const errors = readErrors(params['diagnostics'], clean)
  return { path, version: typeof version === 'number' ? version : undefined, errors }
}
