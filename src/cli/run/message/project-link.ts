import { dirname, resolve } from 'node:path'
import { PipeError } from '../../../error.ts'
import { followed } from '../../../files/real-path.ts'
import type { Interaction, InteractionResponse } from '../../../interaction.ts'
import { isWithin } from '../../../machine/path.ts'
import type { Machine } from '../../machine.ts'
import { projectFolders } from '../../wiring/project-folders.ts'
import { mentionedParts } from './mentioned-part.ts'
import { findPath, mentionedPaths } from './mentioned-path.ts'

/** A path that a link of the project leads out of the project and the added folders. */
export interface ProjectLink {
  readonly path: string
  /** The real path that it leads to. */
  readonly target: string
}

type Place = Pick<Machine, 'cwd' | 'added' | 'home'>

/**
 * Returns where a path leads if a link of the project takes it outside; `undefined` for any other path. A path that the user
 * writes outside of the project, such as `../notes.md`, is their own word.
 */
export function projectLink(path: string, machine: Place): ProjectLink | undefined {
  const folders = projectFolders(machine).map(followed)
  const isInside = (real: string) => folders.some((folder) => isWithin(real, folder))
  const written = resolve(machine.cwd, path)
  const target = followed(written)
  if (isInside(target)) return undefined
  for (let place = written; place !== dirname(place); ) {
    place = dirname(place)
    if (isInside(followed(place))) return { path, target }
  }
  return undefined
}

/** Returns the error for a link that nobody was asked about. */
export function refusedLink({ path, target }: ProjectLink): PipeError {
  return new PipeError(
    'permission',
    `${path} is not attached: a link in this folder leads to ${target}; name that path to attach it`,
  )
}

/** The links that the user let messages of this run follow, each for the place that it led to. */
export class FollowedLinks {
  readonly #machine: Place & Pick<Machine, 'newId'>
  readonly #files: readonly string[]
  readonly #allowed = new Set<string>()
  #asked: { readonly interaction: Interaction; readonly links: readonly ProjectLink[] } | undefined

  /** `files` come with the first message. */
  constructor(machine: Place & Pick<Machine, 'newId'>, files: readonly string[]) {
    this.#machine = machine
    this.#files = files
  }

  /** Whether the user let messages follow this link. */
  readonly mayFollow = (link: ProjectLink): boolean => this.#allowed.has(keyOf(link))

  /** Returns the question to ask before this text is sent; `undefined` if its links need none. */
  question(text: string): Interaction | undefined {
    const { cwd, home, newId } = this.#machine
    const named = [...mentionedPaths(text, { cwd, home }), ...mentionedParts(text, cwd, home)]
    const given = this.#files.map((path) => findPath(path, { cwd, home })?.path ?? path)
    const paths = new Set([...given, ...named.map(({ path }) => path)])
    const links = [...paths].flatMap((path) => projectLink(path, this.#machine) ?? [])
    const open = links.filter((link) => !this.mayFollow(link))
    if (open.length === 0) return undefined
    this.#asked = { interaction: compose(open, newId), links: open }
    return this.#asked.interaction
  }

  /** Whether this is an answer to its question. */
  isAsked({ interactionId }: InteractionResponse): boolean {
    return this.#asked?.interaction.id === interactionId
  }

  /** Applies the answer and returns a note on it. Throws `permission` unless it is yes. */
  answer({ selectedOptionId }: InteractionResponse): string {
    const { links = [] } = this.#asked ?? {}
    this.#asked = undefined
    const [first] = links
    if (selectedOptionId !== 'allow' && first !== undefined) throw refusedLink(first)
    for (const link of links) this.#allowed.add(keyOf(link))
    return `attached from outside this folder: ${links.map(({ target }) => target).join(', ')}`
  }
}

function keyOf({ path, target }: ProjectLink): string {
  return JSON.stringify([path, target])
}

function compose(links: readonly ProjectLink[], newId: Machine['newId']): Interaction {
  return {
    id: newId.interaction(),
    kind: 'confirm',
    purpose: 'confirm_risky_action',
    display: {
      title: 'Attach what a link in this folder leads to?',
      description: 'It lies outside this folder, whose authors may have made the link. The model gets it.',
      content: Object.fromEntries(links.map(({ path, target }) => [path, target])),
      contentKind: 'json',
    },
    options: [
      { id: 'deny', label: 'No, keep the message here', isDefault: true },
      { id: 'allow', label: 'Yes, attach it', style: 'primary' },
    ],
  }
}
