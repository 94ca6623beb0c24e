import { dirname, join, relative, resolve } from 'node:path'
import { errorText } from '../../error.ts'
import { lookThrough } from '../../files/look.ts'
import { followed } from '../../files/real-path.ts'
import { readTextStart } from '../text-start.ts'
import { holds } from '../trust/project-root.ts'
import { type ImportMention, importMentions, onlyImports } from './import-mentions.ts'
import {
  hiddenPath,
  localName,
  lonelyName,
  type PeerHome,
  peerHomes,
  peerNames,
  peerRules,
  sharedNames,
} from './instruction-names.ts'
import { readRuleText, ruleFiles, scopeOf } from './rule-files.ts'

/** Instructions that the model does not get, or not as a whole. */
export interface ContextFault {
  /** Absolute. */
  readonly path: string
  /** The fate of the file, as the end of a sentence that begins with its name. */
  readonly what: string
  /** Whether the file is at fault. The others are only too long, or lead out of the project. */
  readonly isBroken: boolean
  /** Told only to a user who asks for all. */
  readonly isDetail?: true
}

/** A file of instructions, before all of them are cut to their limit. */
export interface Instructions {
  /** Absolute. */
  readonly path: string
  readonly text: string
  readonly isWhole: boolean
  /** The user's own file, not one from the project. */
  readonly isOwn: boolean
}

/** Instructions for work on some files alone. */
export interface ScopedInstructions extends Instructions {
  readonly isAbout: (path: string) => boolean
}

export interface ReaderOptions {
  /** The root of the project. Its files lead out of it only as `mayImport` says. */
  readonly root: string
  readonly home: string
  /** The user's config folder. */
  readonly config: string
  /** Bytes of a file that are read. */
  readonly limit: number
  /** Whether the user approved that instructions of the project import this file, a real path outside of it. */
  readonly mayImport: (path: string) => boolean
}

/** Bounds how deep imports of imports are followed, as other agents do. */
const deepestImport = 5
/** Most files that are imported in all. */
const mostImports = 50

/** Reads files of instructions, each once, whatever leads to it. Collects what is wrong with them. */
export class InstructionReader {
  readonly faults: ContextFault[] = []
  /** Those for some files alone that were found so far. */
  readonly scoped: ScopedInstructions[] = []
  /** The files outside of the project that its instructions import without an approval: real paths. */
  readonly outside = new Set<string>()
  readonly #options: ReaderOptions
  /** Real paths of the files that were read. */
  readonly #seen = new Set<string>()
  readonly #texts = new Set<string>()
  #imported = 0

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** Reads the user's own instructions: for other agents, then for this one. */
  own(): readonly Instructions[] {
    const { home, config } = this.#options
    const homes = peerHomes(home)
    const peers = homes.slice(0, -1).flatMap((peer) => this.#peer(peer))
    const all = [...peers, ...this.#folder(config, true)]
    const last = homes.at(-1)
    return all.length > 0 || last === undefined ? all : this.#peer(last)
  }

  /** Reads the instructions of one folder of the project. */
  folder(folder: string): readonly Instructions[] {
    return this.#folder(folder, false)
  }

  #peer({ folder, names, rules }: PeerHome): readonly Instructions[] {
    const found = this.#first(
      names.map((name) => join(folder, name)),
      true,
    )
    return [
      ...found,
      ...(rules === undefined
        ? []
        : this.#rules(join(folder, rules), { isOwn: true, base: this.#options.root })),
    ]
  }

  #folder(folder: string, isOwn: boolean): readonly Instructions[] {
    const shared = this.#first(
      sharedNames.map((name) => join(folder, name)),
      isOwn,
    )
    const peers = peerNames.flatMap((name) => this.#withImports(join(folder, name), { isOwn, depth: 0 }))
    if (shared.length > 0)
      for (const { path } of peers.filter((one) => dirname(one.path) === folder))
        this.faults.push({
          path,
          what: `is read as well as ${sharedNames.at(-1)}, because they differ`,
          isBroken: false,
          isDetail: true,
        })
    const all = [
      ...shared,
      ...peers,
      ...this.#rules(join(folder, peerRules), { isOwn, base: folder }),
      ...this.#withImports(join(folder, localName), { isOwn, depth: 0 }),
    ]
    return all.length > 0 ? all : this.#withImports(join(folder, lonelyName), { isOwn, depth: 0 })
  }

  /** Reads the first file that has text. The others count as read: it stands for them. */
  #first(paths: readonly string[], isOwn: boolean): readonly Instructions[] {
    for (const [i, path] of paths.entries()) {
      const found = this.#withImports(path, { isOwn, depth: 0, instead: paths.slice(i + 1) })
      if (found.length > 0) return found
    }
    return []
  }

  #rules(
    folder: string,
    { isOwn, base }: { readonly isOwn: boolean; readonly base: string },
  ): readonly Instructions[] {
    if (lookThrough(folder)?.isDirectory() !== true) return []
    if (!isOwn && !holds(this.#options.root, folder)) {
      this.faults.push({ path: folder, what: leadsOut, isBroken: false })
      return []
    }
    return ruleFiles(folder).flatMap((path) => {
      const file = this.#read(path, isOwn)
      if (file === undefined) return []
      const { text, globs, fault } = readRuleText(file.text)
      if (fault !== undefined)
        this.faults.push({
          path,
          what: `applies to all work, because its paths are invalid: line ${fault}`,
          isBroken: true,
        })
      const rule = { ...file, text }
      if (globs === undefined) return [...this.#imports(rule, 0), ...(text.trim() === '' ? [] : [rule])]
      this.scoped.push({ ...rule, isAbout: scopeOf(globs, base) })
      return []
    })
  }

  /** Reads a file, if it is there, after what it imports. One that only imports is left out itself. */
  #withImports(
    path: string,
    {
      isOwn,
      depth,
      instead = [],
    }: { readonly isOwn: boolean; readonly depth: number; readonly instead?: readonly string[] },
  ): readonly Instructions[] {
    const file = this.#read(path, isOwn)
    if (file === undefined) return []
    for (const other of instead) this.#seen.add(followed(other))
    const imports = this.#imports(file, depth)
    return onlyImports(file.text) ? imports : [...imports, file]
  }

  #imports(file: Instructions, depth: number): readonly Instructions[] {
    return importMentions(file.text).flatMap((mention) => {
      const path = this.#target(mention, file)
      if (path === undefined || this.#seen.has(followed(path))) return []
      const reason = this.#refusal(path, file, depth)
      if (reason === undefined) {
        this.#imported += 1
        return this.#withImports(path, { isOwn: file.isOwn, depth: depth + 1 })
      }
      this.faults.push({
        path: file.path,
        what: `imports ${mention.path}, which is skipped: ${reason}`,
        isBroken: false,
      })
      return []
    })
  }

  /** Finds the file that a text imports. A mark behind its name may belong to the sentence. */
  #target({ path }: ImportMention, { path: from }: Instructions): string | undefined {
    const { home } = this.#options
    const places = [path, path.replace(/[.,;:!?)\]]+$/, '')].map((one) =>
      one.startsWith('~/') ? join(home, one.slice(2)) : resolve(dirname(from), one),
    )
    const found = places.find((one) => lookThrough(one)?.isFile() === true)
    // Words such as @someone are no files.
    if (found === undefined && /[^.]\.[a-z]\w{0,7}$/i.test(places.at(-1) ?? ''))
      this.faults.push({
        path: from,
        what: `imports ${path}, which does not exist`,
        isBroken: false,
        isDetail: true,
      })
    return found
  }

  #refusal(path: string, { isOwn, path: from }: Instructions, depth: number): string | undefined {
    const { root, home, config, mayImport } = this.#options
    if (depth >= deepestImport) return `imports go at most ${deepestImport} files deep`
    if (this.#imported >= mostImports) return `at most ${mostImports} files are imported`
    if (isOwn)
      return [home, config, dirname(followed(from))].some((folder) => holds(folder, path))
        ? undefined
        : 'your own instructions import files of your home folder only'
    const real = followed(path)
    if (holds(root, path))
      return hiddenPath.test(relative(followed(root), real)) ? 'hidden files are not imported' : undefined
    if (mayImport(real)) return undefined
    this.outside.add(real)
    return 'it is outside the project; pipe trust approves it'
  }

  /** Reads a file once, and not again under another name or with the same text. */
  #read(path: string, isOwn: boolean): Instructions | undefined {
    if (lookThrough(path)?.isFile() !== true) return undefined
    const real = followed(path)
    if (this.#seen.has(real)) return undefined
    const { root, limit, mayImport } = this.#options
    // It would send some other file to the model.
    if (!isOwn && !holds(root, path) && !mayImport(real)) {
      this.faults.push({ path, what: leadsOut, isBroken: false })
      return undefined
    }
    try {
      const start = readTextStart(path, limit)
      if (start === undefined) this.faults.push({ path, what: 'is skipped: it is binary', isBroken: true })
      const text = start?.text.trim() ?? ''
      if (start === undefined || text === '' || this.#texts.has(text)) return undefined
      this.#seen.add(real)
      this.#texts.add(text)
      return { path, ...start, isOwn }
    } catch (error) {
      const reason = errorText(error)
      this.faults.push({ path, what: `is skipped: ${reason}`, isBroken: true })
      return undefined
    }
  }
}

const leadsOut = 'is skipped: it is a link out of the project'
