import { basename, join } from 'node:path'
import { look, lookThrough } from '../files/look.ts'
import { followed } from '../files/real-path.ts'
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'
import { isWithin } from '../machine/path.ts'
import type { Plugin, PluginHooks } from '../machine/plugin.ts'
import { ok, type Result } from '../machine/result.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { readJsonFile } from './json-file.ts'
import { inFolderManifest, manifestPlaces } from './peer-places.ts'
import { type PluginDependency, readDependencies } from './plugin-dependencies.ts'
import { readPluginName, shownFields } from './plugin-name.ts'
import { pathInside } from './plugin-source.ts'
import { type PartDocument, pluginServers } from './server-entries.ts'
import { optionsOf, type PluginOption, readUserConfig } from './user-config.ts'

/** A plugin with what its documents say of it. */
export interface PluginContent {
  readonly plugin: Plugin
  readonly version?: string
  readonly description?: string
  /** The options that it asks the user for. */
  readonly options: readonly PluginOption[]
  /** The other plugins that it needs. */
  readonly dependencies: readonly PluginDependency[]
  /** Say what has no effect, and what cannot be used. */
  readonly notes: readonly string[]
}

export interface ContentPlace {
  /** The folder of the plugin. Absolute. */
  readonly root: string
  /** The folder that it may write to. */
  readonly data: string
  /** Its name if someone else gives it one. Default: that of its manifest, else of `folderName`. */
  readonly name?: string
  /** Default: that of `root`. */
  readonly folderName?: string
  /** The entry of a marketplace about it. With `strict: false` in it, that replaces the usual folders. */
  readonly components?: JsonObject
  /** The user's options of it. Default: none. */
  readonly answers?: Readonly<Record<string, string>>
}

/** Reads what a folder brings as a plugin. Refuses one whose manifest is broken. A broken part costs only itself. */
export function readPlugin(place: ContentPlace): Result<PluginContent> {
  const { root, data } = place
  const found = manifestOf(root)
  if (found.type === 'refused') return found
  const { manifest, path } = found.value
  const name = readPluginName(place.name ?? textField(manifest, 'name') ?? place.folderName ?? basename(root))
  if (name.type === 'refused') return name
  const parts = new ContentReader(place, manifest)
  const options = readUserConfig(manifest, parts.note)
  const dependencies = readDependencies(manifest, parts.note)
  const plugin: Plugin = {
    name: name.value,
    root,
    data,
    skills: parts.skills(),
    commands: parts.paths('commands'),
    agents: parts.paths('agents'),
    hooks: parts.hooks(),
    servers: pluginServers(parts.documents('mcpServers', '.mcp.json'), {
      root,
      data,
      folder: path === inFolderManifest ? root : undefined,
    }),
    ...(options.length > 0 && { options: optionsOf(options, place.answers ?? {}) }),
  }
  const about = { version: textField(manifest, 'version'), description: textField(manifest, 'description') }
  return ok({
    plugin,
    options,
    dependencies,
    ...omitUndefined(about),
    notes: [
      ...parts.notes,
      ...idleParts(root, { ...place.components, ...manifest }),
      ...unknownFields(manifest),
    ],
  })
}

interface Manifest {
  readonly manifest: JsonObject
  readonly path?: string
}

function manifestOf(root: string): Result<Manifest> {
  for (const path of manifestPlaces) {
    const file = readJsonFile(root, path)
    if (file.type === 'refused') return file
    if (isJsonObject(file.value)) return ok({ manifest: file.value, path })
    if (file.value !== undefined) return { type: 'refused', reason: `${path} holds no object` }
  }
  return ok({ manifest: {} })
}

type Kind = 'skills' | 'commands' | 'agents' | 'hooks' | 'mcpServers'

/** Finds the parts of a plugin: in their usual places, and where its manifest and its marketplace say. */
class ContentReader {
  readonly notes: string[] = []
  readonly #root: string
  readonly #manifest: JsonObject
  readonly #listed: JsonObject

  constructor({ root, components = {} }: ContentPlace, manifest: JsonObject) {
    this.#root = root
    this.#manifest = manifest
    this.#listed = components
  }

  readonly note = (text: string): void => void this.notes.push(text)

  /** The folders of skills; the plugin itself if it is one. */
  skills(): readonly string[] {
    const found = this.paths('skills', 'and the usual one')
    const isSkill = found.length === 0 && look(join(this.#root, 'SKILL.md')) !== undefined
    return isSkill ? [this.#root] : found
  }

  /** The folders and files of a kind: those that are named, else the usual folder. */
  paths(kind: 'skills' | 'commands' | 'agents', also?: 'and the usual one'): readonly string[] {
    const named = this.#values(kind).flatMap((value) => {
      if (typeof value === 'string') return value
      this.note(`${kind} takes paths, so what it says is left out`)
      return []
    })
    const usual = (named.length === 0 || also !== undefined) && this.#takesUsual(kind) ? [kind] : []
    const paths = [...usual.filter((path) => look(join(this.#root, path)) !== undefined), ...named]
    return [...new Set(paths.flatMap((path) => this.#inside(path) ?? []))]
  }

  hooks(): readonly PluginHooks[] {
    return this.documents('hooks', 'hooks/hooks.json').flatMap(({ path, value }) => {
      const within = isJsonObject(value) ? value['hooks'] : undefined
      const hooks = isJsonObject(within) ? within : value
      if (!isJsonObject(hooks)) this.note(`${path}: expected an object of hooks`)
      return isJsonObject(hooks) && Object.keys(hooks).length > 0 ? [{ path, hooks }] : []
    })
  }

  /** The documents of a kind, each with its file: of the usual file, of named ones, and written in place. */
  documents(kind: Kind, usual: string): readonly PartDocument[] {
    const named = this.#values(kind)
    const paths = named.filter((value) => typeof value === 'string')
    const files = [
      ...(this.#takesUsual(kind) && look(join(this.#root, usual)) !== undefined ? [usual] : []),
      ...paths,
    ]
    const places = new Set(files.flatMap((path) => this.#inside(path) ?? []))
    const read = [...places].flatMap((place): readonly PartDocument[] => {
      const path = place.slice(this.#root.length + 1)
      const file = readJsonFile(this.#root, path)
      if (file.type === 'refused') this.note(file.reason)
      return file.type === 'ok' && file.value !== undefined ? [{ path: place, value: file.value }] : []
    })
    const inPlace = named
      .filter(isJsonObject)
      .map((value) => ({ path: join(this.#root, 'plugin.json'), value }))
    return [...read, ...inPlace]
  }

  #values(kind: Kind): readonly JsonValue[] {
    const given = [this.#listed[kind], this.#manifest[kind]]
    return given.flatMap((value): readonly JsonValue[] => {
      if (value === undefined || value === null) return []
      return Array.isArray(value) ? value : [value]
    })
  }

  /** A list that is the whole description of a plugin leaves out what it does not name. */
  #takesUsual(kind: Kind): boolean {
    return this.#listed['strict'] !== false || this.#listed[kind] === undefined
  }

  #inside(path: string): string | undefined {
    const inside = pathInside(path)
    const place = join(this.#root, inside.type === 'ok' ? inside.value : '')
    if (inside.type === 'refused') this.note(inside.reason)
    else if (lookThrough(place) === undefined) this.note(`there is no ${JSON.stringify(path.slice(0, 120))}`)
    else if (!isWithin(followed(place), followed(this.#root))) this.note(`${JSON.stringify(path)} leads out`)
    else return place
    return undefined
  }
}

/** Lists parts that only other agents know, with the fields of the manifest and the places that hold them. */
const idle = [
  { what: 'output styles', fields: ['outputStyles'], places: ['output-styles'] },
  { what: 'language servers', fields: ['lspServers'], places: ['.lsp.json'] },
  { what: 'themes', fields: ['themes'], places: ['themes'] },
  { what: 'monitors', fields: ['monitors'], places: ['monitors'] },
  { what: 'workflows', fields: ['workflows'], places: ['workflows'] },
  { what: 'connected apps', fields: ['apps'], places: ['.app.json'] },
  { what: 'channels', fields: ['channels'], places: [] },
  { what: 'settings', fields: ['settings'], places: ['settings.json'] },
  { what: 'programs for the PATH', fields: [], places: ['bin'] },
] as const

function idleParts(root: string, manifest: JsonObject): readonly string[] {
  const parts = idle.flatMap(({ what, fields, places }) => {
    const isSaid = fields.some((field) => manifest[field] !== undefined)
    const isThere = places.some((place) => look(join(root, place)) !== undefined)
    return isSaid || isThere ? [`no effect here: ${what}`] : []
  })
  return [...parts, ...missingPackages(root)]
}

/** Fields that say what a plugin is, besides those of its parts. */
const about = [
  ...['$schema', 'name', 'version', 'description', 'author', 'homepage', 'repository', 'license', 'keywords'],
  ...['category', 'tags', 'interface', 'displayName', 'userConfig', 'dependencies'],
  ...['skills', 'commands', 'agents', 'hooks', 'mcpServers'],
]

function unknownFields(manifest: JsonObject): readonly string[] {
  const parts = idle.flatMap(({ fields }): readonly string[] => fields)
  const unknown = Object.keys(manifest).filter((field) => !about.includes(field) && !parts.includes(field))
  return unknown.length === 0 ? [] : [`no effect here: ${shownFields(unknown)}`]
}

/** Nothing is installed for a plugin. */
function missingPackages(root: string): readonly string[] {
  const file = readJsonFile(root, 'package.json')
  const needs = file.type === 'ok' && isJsonObject(file.value) ? file.value['dependencies'] : undefined
  const isComplete = look(join(root, 'node_modules')) !== undefined
  if (!isJsonObject(needs) || Object.keys(needs).length === 0 || isComplete) return []
  return ['the packages that its package.json needs are not installed']
}
