import type { Directories } from '../../../config/directories.ts'
import type { Layer, LayeredSettings } from '../../../config/layers.ts'
import { spellingOf } from '../../../config/project-settings.ts'
import { type FolderTrust, isProject } from '../../../config/trust/folder-trust.ts'
import { worktreesOf } from '../../../config/trust/main-root.ts'
import { type ContentVerdict, contentHash, recordTrust } from '../../../config/trust/trust.ts'
import { failureOf } from '../../../error.ts'
import type { Interaction, InteractionResponse } from '../../../interaction.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import { lockHolder, type Machine } from '../../machine.ts'
import {
  describeOffered,
  describeTexts,
  isOffering,
  type Offered,
  offeredVerdicts,
  undecided,
} from './offered-content.ts'
import { ruleTexts } from './rules.ts'

/** Asks the user once whether to trust a folder, before anything from there is sent. */
export interface TrustGate {
  /** Whether the folder is trusted by now. */
  readonly isTrusted: boolean
  /** Whether the answer approved what starts only with a new conversation. */
  readonly startsAnew: boolean
  /** Returns the question; `undefined` if there is none or it was answered. */
  question(): Interaction | undefined
  /**
   * Stores and applies the answer. Returns a message on the result. Throws `config`, `conflict`, `permission` if it cannot be
   * stored.
   */
  answer(response: InteractionResponse): Promise<string>
}

export interface TrustGateOptions {
  readonly machine: Machine
  readonly directories: Directories
  readonly loaded: Pick<LayeredSettings, 'trust' | 'proposed'>
  readonly policy: Pick<ModePolicy, 'trustFolder'>
  /** Lists all that the project would run once it is approved. */
  readonly offered: Offered
  /** Whether skills count. */
  readonly hasSkills: boolean
  readonly signal: AbortSignal
}

/** Opens the gate of this run's folder. It asks about undecided folders, unapproved rules, and what the project would run. */
export function openTrustGate(options: TrustGateOptions): TrustGate {
  const { machine, directories, loaded, policy, signal } = options
  const { trust } = loaded
  const { root, decided } = trust
  const proposed = loaded.proposed.filter(
    (layer) => trust.approved('permissions.allow', contentHash(allowedBy(layer))) === undefined,
  )
  const offered = undecided(options.offered, trust)
  const isUnknown = trust.trusted === undefined
  const wants = proposed.length > 0 || isOffering(offered)
  let asking = (isUnknown && isProject(root)) || (trust.trusted !== false && wants)
  let startsAnew = false
  let asked: Interaction | undefined
  let isTrusted = trust.trusted === true
  const keep = (trusted: boolean, contents: readonly ContentVerdict[]) =>
    recordTrust(
      directories.config,
      decided,
      { trusted, at: new Date(machine.clock.now()).toISOString(), contents },
      lockHolder(machine, signal),
    )
  return {
    get isTrusted() {
      return isTrusted
    },
    get startsAnew() {
      return startsAnew
    },
    question: () => {
      if (!asking) return undefined
      asked ??= compose({ trust, proposed, offered, texts: textsOf(options) }, machine)
      return asked
    },
    answer: async ({ selectedOptionId }) => {
      asking = false
      const all = (approved: boolean) => [
        ...verdicts(proposed, approved),
        ...offeredVerdicts(offered, approved),
      ]
      if (selectedOptionId === 'allow' || selectedOptionId === 'folder') {
        const approves = selectedOptionId === 'allow'
        policy.trustFolder(approves ? ruleTexts(proposed) : [])
        isTrusted = true
        const failure = await failureOf(keep(true, all(approves)))
        startsAnew = approves && failure === undefined && isOffering(offered)
        return failure === undefined
          ? `trusted: ${decided} (pipe trust remove undoes it)`
          : `trusted until pipe ends: ${decided}; this was not saved: ${failure.message}`
      }
      if (selectedOptionId !== 'deny') return `not trusted for now: ${decided}`
      const failure = await failureOf(keep(!isUnknown, isUnknown ? [] : all(false)))
      return failure === undefined
        ? `not trusted: ${decided} (pipe trust changes that)`
        : `not trusted until pipe ends: ${decided}; this was not saved: ${failure.message}`
    },
  }
}

/** Gives the same verdict on the allow rules of each project file. */
export function verdicts(proposed: readonly Layer[], approved: boolean): readonly ContentVerdict[] {
  return proposed.map((layer) => ({
    kind: 'permissions.allow',
    hash: contentHash(allowedBy(layer)),
    approved,
  }))
}

/** Returns the rules without examples. Their hash covers this form. */
function allowedBy({ settings }: Layer) {
  return [...(settings.permissions?.allow ?? [])].map(spellingOf)
}

/** Names the texts of a project that begin to count with trust in the folder. */
function textsOf({
  loaded: { trust },
  directories: { config },
  machine: { home },
  hasSkills,
}: TrustGateOptions) {
  return hasSkills && trust.trusted === undefined ? describeTexts({ ...trust, config, home }) : []
}

interface Asking {
  readonly trust: FolderTrust
  readonly proposed: readonly Layer[]
  readonly offered: Offered
  readonly texts: readonly string[]
}

function compose(
  { trust: { root, decided, trusted }, proposed, offered, texts }: Asking,
  { newId }: Machine,
): Interaction {
  const rules = proposed.flatMap(allowedBy)
  const isUnknown = trusted === undefined
  const wants = rules.length > 0 || isOffering(offered)
  const yes = isUnknown
    ? isOffering(offered)
      ? 'Yes, I trust it and all of this'
      : 'Yes, I trust it'
    : 'Yes, allow it'
  return {
    id: newId.interaction(),
    kind: 'confirm',
    purpose: 'confirm_risky_action',
    display: {
      title: isUnknown ? 'Use this folder?' : 'Allow what this folder asks for?',
      description: 'The authors of its files can influence what runs on your machine.',
      content: {
        folder: root,
        ...(decided !== root && { 'the answer also counts for': worktreesOf(decided) }),
        ...(isUnknown ? { 'if you trust it': 'git follows its configuration, which can run programs.' } : {}),
        ...(rules.length === 0 ? {} : { 'what its settings allow without asking': rules }),
        ...describeOffered(offered),
        ...(texts.length === 0 ? {} : { 'skills and commands, texts for the model': texts }),
      },
      contentKind: 'json',
    },
    options: [
      { id: 'later', label: 'Not now, ask again next time', isDefault: true },
      { id: 'allow', label: yes, style: 'primary' },
      ...(isUnknown && wants ? [{ id: 'folder', label: 'I trust the folder, but allow none of this' }] : []),
      { id: 'deny', label: 'No, and do not ask again', style: 'danger' },
    ],
  }
}
