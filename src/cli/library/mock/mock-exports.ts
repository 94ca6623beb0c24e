export type { MakeReply, MockBlock, MockProvider, MockReply } from './mock-provider.ts'
export { mockProvider } from './mock-provider.ts'
export type { MockTool, MockToolOptions } from './mock-tool.ts'
export { mockTool } from './mock-tool.ts'
