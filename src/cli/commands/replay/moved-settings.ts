import type { LayeredSettings } from '../../../config/layers.ts'
import type { RuleSettings, Settings } from '../../../config/settings.ts'

/** Returns settings whose rules and writable folders name a moved folder where it is now. */
export function movedSettings(loaded: LayeredSettings, move: (text: string) => string): LayeredSettings {
  return {
    ...loaded,
    settings: moved(loaded.settings, move),
    layers: loaded.layers.map(({ source, settings }) => ({
      // The rules of a project begin in its folder.
      source: { ...source, name: move(source.name) },
      settings: moved(settings, move),
    })),
  }
}

function moved(settings: Settings, move: (text: string) => string): Settings {
  const { permissions, sandbox } = settings
  const rules = (list: readonly RuleSettings[] | undefined) => list?.map((rule) => movedRule(rule, move))
  return {
    ...settings,
    ...(permissions && {
      permissions: {
        ...permissions,
        ...(permissions.allow && { allow: rules(permissions.allow) }),
        ...(permissions.ask && { ask: rules(permissions.ask) }),
        ...(permissions.deny && { deny: rules(permissions.deny) }),
      },
    }),
    ...(sandbox && {
      sandbox: { ...sandbox, ...(sandbox.writable && { writable: sandbox.writable.map(move) }) },
    }),
  }
}

function movedRule(rule: RuleSettings, move: (text: string) => string): RuleSettings {
  return typeof rule === 'string' ? move(rule) : { ...rule, rule: move(rule.rule) }
}
