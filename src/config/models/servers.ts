import type { Dialect, Server } from '../../machine/model-server.ts'

/** Built-in defaults of a server, before settings and environment apply. */
export interface ServerRow extends Omit<Server, 'baseUrl'> {
  /** Absent if each user has their own address. */
  readonly baseUrl?: string
  /** Default addresses of other versions of the server, tried if no setting changes the address. */
  readonly otherBaseUrls?: readonly string[]
  /** Other programs' variables for the base URL, read after `<NAME>_BASE_URL` and the settings. */
  readonly baseUrlEnvs?: readonly string[]
  /** Default dialect of a compatible server at another address. The quirks do not apply to it. */
  readonly compatible?: Dialect
  /** Path of the `openai` dialects, added to a base URL that is only a host. */
  readonly apiPath?: string
  /** The beginning of its keys, if no other server's keys begin so. */
  readonly keyBeginnings?: readonly string[]
  /** Default port. If set, the address may also be written as `host`, `host:port` or `:port`. */
  readonly defaultPort?: number
}

/** Known servers, in the order in which keys and local ports are checked. */
export const builtinServers: readonly ServerRow[] = [
  {
    name: 'anthropic',
    dialect: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
    keyBeginnings: ['sk-ant-'],
    defaultModel: 'claude-sonnet-5-5',
  },
  {
    name: 'openai',
    dialect: 'openai-responses',
    compatible: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlEnvs: ['OPENAI_API_BASE'],
    apiKeyEnv: 'OPENAI_API_KEY',
    keyBeginnings: ['sk-proj-', 'sk-svcacct-'],
    quirks: { maxTokensField: 'max_completion_tokens', temperatureWithThinking: false, thinkTags: 'none' },
    defaultModel: 'gpt-5.6-terra',
  },
  {
    name: 'gemini',
    dialect: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    baseUrlEnvs: ['GOOGLE_GEMINI_BASE_URL'],
    apiKeyEnv: 'GEMINI_API_KEY',
    apiKeyAliases: ['GOOGLE_API_KEY'],
    keyBeginnings: ['AIza'],
    defaultModel: 'gemini-3.5-flash',
  },
  {
    name: 'openrouter',
    dialect: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKeyEnv: 'OPENROUTER_API_KEY',
    keyBeginnings: ['sk-or-'],
    defaultModel: 'openrouter/auto',
  },
  {
    name: 'mistral',
    dialect: 'openai-chat',
    baseUrl: 'https://api.mistral.ai/v1',
    apiKeyEnv: 'MISTRAL_API_KEY',
    quirks: { streamOptions: false, callIdLength: 9, toolChoiceRequired: 'any', userAfterTool: false },
    defaultModel: 'mistral-medium-latest',
  },
  {
    name: 'xai',
    dialect: 'openai-chat',
    baseUrl: 'https://api.x.ai/v1',
    apiKeyEnv: 'XAI_API_KEY',
    keyBeginnings: ['xai-'],
    defaultModel: 'grok-4.3',
  },
  {
    name: 'deepseek',
    dialect: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    apiKeyEnv: 'DEEPSEEK_API_KEY',
    quirks: { reasoningContent: true },
    defaultModel: 'deepseek-flash',
  },
  {
    name: 'groq',
    dialect: 'openai-chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    apiKeyEnv: 'GROQ_API_KEY',
    keyBeginnings: ['gsk_'],
    quirks: { thinkTags: 'both' },
    defaultModel: 'openai/gpt-oss-120b',
  },
  {
    name: 'azure',
    dialect: 'openai-chat',
    baseUrlEnvs: ['AZURE_OPENAI_ENDPOINT'],
    apiPath: '/openai/v1',
    apiKeyEnv: 'AZURE_OPENAI_API_KEY',
    apiKeyAliases: ['AZURE_API_KEY'],
    quirks: {
      keyHeader: 'api-key',
      schemaBesideTools: true,
      maxTokensField: 'max_completion_tokens',
      temperatureWithThinking: false,
      thinkTags: 'none',
    },
  },
  {
    name: 'together',
    dialect: 'openai-chat',
    baseUrl: 'https://api.together.xyz/v1',
    apiKeyEnv: 'TOGETHER_API_KEY',
    quirks: { thinkTags: 'both' },
  },
  {
    name: 'fireworks',
    dialect: 'openai-chat',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    apiKeyEnv: 'FIREWORKS_API_KEY',
    keyBeginnings: ['fw_'],
    quirks: { thinkTags: 'both' },
  },
  {
    name: 'cerebras',
    dialect: 'openai-chat',
    baseUrl: 'https://api.cerebras.ai/v1',
    apiKeyEnv: 'CEREBRAS_API_KEY',
    keyBeginnings: ['csk-'],
  },
  {
    name: 'perplexity',
    dialect: 'openai-chat',
    baseUrl: 'https://api.perplexity.ai',
    apiKeyEnv: 'PERPLEXITY_API_KEY',
    keyBeginnings: ['pplx-'],
    quirks: { thinkTags: 'both' },
  },
  {
    name: 'zai',
    dialect: 'openai-chat',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    apiKeyEnv: 'ZAI_API_KEY',
  },
  {
    name: 'moonshot',
    dialect: 'openai-chat',
    baseUrl: 'https://api.moonshot.ai/v1',
    apiKeyEnv: 'MOONSHOT_API_KEY',
    quirks: { reasoningContent: true },
  },
  {
    name: 'nvidia',
    dialect: 'openai-chat',
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    apiKeyEnv: 'NVIDIA_API_KEY',
    keyBeginnings: ['nvapi-'],
    quirks: { thinkTags: 'both' },
  },
  {
    name: 'huggingface',
    dialect: 'openai-chat',
    baseUrl: 'https://router.huggingface.co/v1',
    apiKeyEnv: 'HF_TOKEN',
    quirks: { thinkTags: 'both' },
  },
  {
    name: 'ollama',
    dialect: 'ollama',
    baseUrl: 'http://127.0.0.1:11434',
    baseUrlEnvs: ['OLLAMA_HOST'],
    apiPath: '/v1',
    defaultPort: 11434,
    quirks: { thinkTags: 'both' },
  },
  {
    name: 'lmstudio',
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1234/v1',
    quirks: { thinkTags: 'both' },
  },
  {
    name: 'llamacpp',
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8080/v1',
    otherBaseUrls: ['http://127.0.0.1:9931/v1'],
    quirks: { thinkTags: 'both' },
  },
  {
    name: 'vllm',
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8000/v1',
    quirks: { thinkTags: 'both' },
  },
]
