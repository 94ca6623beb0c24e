import type { LayeredSettings } from '../../../config/layers.ts'
import type { RuleSettings, Settings } from '../../../config/settings.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { type Move, mapping } from '../../../replay/relocated.ts'
import { escapeGlob } from '../../../text/glob.ts'

/**
 * Returns settings whose rules and writable folders name a moved folder where it is now. Whatever they allow, nothing may change the
 * folder where it was.
 */
export function movedSettings({ settings, layers, ...loaded }: LayeredSettings, move: Move): LayeredSettings {
  const map = mapping(move)
  const fence = { permissions: { deny: [`Edit(/${escapeGlob(move.from)}/**)`] } }
  return {
    ...loaded,
    settings: moved(settings, map),
    layers: [
      // The rules of a project begin in its folder.
      ...layers.map((layer) => ({
        source: { ...layer.source, name: map(layer.source.name) },
        settings: moved(layer.settings, map),
      })),
      { source: { type: 'flag', name: 'pipe replay' }, settings: fence },
    ],
  }
}

function moved(settings: Settings, map: (text: string) => string): Settings {
  const { permissions, sandbox } = settings
  if (permissions === undefined && sandbox === undefined) return settings
  const rules = (list: readonly RuleSettings[] | undefined) => list?.map((rule) => movedRule(rule, map))
  const { allow, ask, deny } = permissions ?? {}
  return {
    ...settings,
    permissions: {
      ...permissions,
      ...omitUndefined({ allow: rules(allow), ask: rules(ask), deny: rules(deny) }),
    },
    sandbox: { ...sandbox, ...omitUndefined({ writable: sandbox?.writable?.map(map) }) },
  }
}

function movedRule(rule: RuleSettings, map: (text: string) => string): RuleSettings {
  return typeof rule === 'string' ? map(rule) : { ...rule, rule: map(rule.rule) }
}
