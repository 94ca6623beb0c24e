import type { Directories } from '../../config/directories.ts'
import { type FolderTrust, isProject } from '../../config/folder-trust.ts'
import type { Layer, LayeredSettings } from '../../config/layers.ts'
import { spellingOf } from '../../config/project.ts'
import { type ContentVerdict, contentHash, recordTrust } from '../../config/trust.ts'
import type { Interaction, InteractionResponse } from '../../interaction.ts'
import type { ModePolicy } from '../../policy/policy.ts'
import { type Host, lockHolder } from '../host.ts'
import { rulesOf } from './rules.ts'

/** Asks a person once whether a folder is to be trusted; a front end opens it before it sends anything from there. */
export interface TrustGate {
  /** What is to be asked; `undefined` where nothing is, or was answered. */
  question(): Interaction | undefined
  /** Keeps the answer and acts by it; says what holds now. Throws `config`, `conflict`, `permission` where it cannot be kept. */
  answer(response: InteractionResponse): Promise<string>
}

export interface TrustGateOptions {
  readonly host: Host
  readonly directories: Directories
  readonly loaded: Pick<LayeredSettings, 'trust' | 'proposed'>
  readonly policy: Pick<ModePolicy, 'trustFolder'>
  readonly signal: AbortSignal
}

/** The gate of this run's folder. It asks about one of which nothing was said, and about rules that nobody has approved. */
export function openTrustGate({ host, directories, loaded, policy, signal }: TrustGateOptions): TrustGate {
  const { trust } = loaded
  const { root } = trust
  const proposed = loaded.proposed.filter(
    (layer) => trust.approved('permissions.allow', contentHash(allowedBy(layer))) === undefined,
  )
  const isUnknown = trust.trusted === undefined
  let asking = (isUnknown && isProject(root)) || (trust.trusted === true && proposed.length > 0)
  let asked: Interaction | undefined
  const keep = (trusted: boolean, contents: readonly ContentVerdict[]) =>
    recordTrust(
      directories.config,
      root,
      { trusted, at: new Date(host.clock.now()).toISOString(), contents },
      lockHolder(host, signal),
    )
  return {
    question: () => {
      if (!asking) return undefined
      asked ??= compose({ trust, proposed }, host)
      return asked
    },
    answer: async ({ selectedOptionId }) => {
      asking = false
      if (selectedOptionId === 'allow') {
        policy.trustFolder(rulesOf(proposed))
        await keep(true, verdicts(proposed, true))
        return `trusted: ${root} (pipe trust remove takes it back)`
      }
      if (selectedOptionId !== 'deny') return `not trusted for now: ${root}`
      await keep(!isUnknown, isUnknown ? [] : verdicts(proposed, false))
      return `not trusted: ${root} (pipe trust changes that)`
    },
  }
}

/** The same verdict on what each file of the project would allow. */
export function verdicts(proposed: readonly Layer[], approved: boolean): readonly ContentVerdict[] {
  return proposed.map((layer) => ({
    kind: 'permissions.allow',
    hash: contentHash(allowedBy(layer)),
    approved,
  }))
}

/** The rules as they are spelled, which is what their hash is of. */
function allowedBy({ settings }: Layer) {
  return [...(settings.permissions?.allow ?? [])].map(spellingOf)
}

function compose(
  {
    trust: { root, trusted },
    proposed,
  }: { readonly trust: FolderTrust; readonly proposed: readonly Layer[] },
  { newId }: Host,
): Interaction {
  const rules = proposed.flatMap(allowedBy)
  const isUnknown = trusted === undefined
  return {
    id: newId.interaction(),
    kind: 'confirm',
    purpose: 'confirm_risky_action',
    display: {
      title: isUnknown ? 'Trust this folder?' : 'Approve what this folder allows?',
      description: 'Whoever wrote its files has a say in what runs on your machine.',
      content: {
        folder: root,
        ...(isUnknown
          ? { 'if you trust it': 'git is used as its configuration says, and that can run programs.' }
          : {}),
        ...(rules.length === 0 ? {} : { 'what its settings allow without a question': rules }),
      },
      contentKind: 'json',
    },
    options: [
      { id: 'later', label: 'Not now; ask again next time', isDefault: true },
      { id: 'allow', label: isUnknown ? 'Yes, I trust it' : 'Yes', style: 'primary' },
      { id: 'deny', label: 'No, and do not ask again', style: 'danger' },
    ],
  }
}
