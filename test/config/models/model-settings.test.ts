import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { modelSettingsSchema } from '../../../src/config/models/model-settings.ts'

const whole = {
  context_window: 32_768,
  max_output: 4096,
  images: false,
  documents: false,
  tools: true,
  thinking: 'none',
  price: {
    input: 0.5,
    output: 1.5,
    cache_read: 0.05,
    cache_write: 0.6,
    long: { above: 9, input: 1, output: 2 },
  },
}

describe('model settings', () => {
  it('fit the catalog', () => {
    const settings = modelSettingsSchema.parse(whole)
    expect(createCatalog({ models: {} }, { 'mine/my-model': settings }).find('mine', 'my-model')).toEqual({
      provider: 'mine',
      id: 'my-model',
      contextWindow: 32_768,
      maxOutput: 4096,
      images: false,
      documents: false,
      tools: true,
      thinking: { type: 'none' },
      price: {
        input: 0.5,
        output: 1.5,
        cacheRead: 0.05,
        cacheWrite: 0.6,
        long: { above: 9, input: 1, output: 2 },
      },
    })
  })

  it.each([
    {},
    { thinking: 'fixed' },
    { thinking: 'effort' },
    { thinking: 'budget' },
    { thinking: { type: 'none' } },
    { thinking: { type: 'effort', levels: ['off', 'xhigh'] } },
    { thinking: { type: 'budget', min: 0, max: 9, optional: false } },
    { price: { input: 0, output: 0 } },
  ])('may be %j', (settings) => {
    expect(modelSettingsSchema.parse(settings)).toEqual(settings)
  })

  it.each([
    [{ window: 1 }, ''],
    [{ context_window: 0 }, 'context_window'],
    [{ context_window: '32k' }, 'context_window'],
    [{ max_output: 1.5 }, 'max_output'],
    [{ images: 'yes' }, 'images'],
    [{ thinking: 'deep' }, 'thinking'],
    [{ thinking: { type: 'effort', levels: ['max'] } }, 'thinking'],
    [{ thinking: { type: 'budget', levels: ['low'] } }, 'thinking'],
    [{ price: 1 }, 'price'],
    [{ price: { input: 1 } }, 'price.output'],
    [{ price: { input: -1, output: 1 } }, 'price.input'],
    [{ price: { input: 1, output: 1, long: { input: 1, output: 1 } } }, 'price.long.above'],
  ])('cannot be %j', (settings, path) => {
    const paths = modelSettingsSchema.safeParse(settings).error?.issues.map((issue) => issue.path.join('.'))
    expect(paths).toEqual([path])
  })

  it('list the valid forms of thinking in the error', () => {
    expect(modelSettingsSchema.safeParse({ thinking: 7 }).error?.issues[0]?.message).toBe(
      'expected none, fixed, effort, budget or {"type": "effort", "levels": ["low", "high"]}',
    )
  })
})
