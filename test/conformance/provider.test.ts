import { providerConformance } from '../../src/conformance/suites.ts'
import { conforms } from '../support/conforms.ts'
import { memoryProvider } from '../support/models/memory-provider.ts'

conforms(
  'an adapter in memory',
  providerConformance(async (reply) => memoryProvider(reply)),
)
