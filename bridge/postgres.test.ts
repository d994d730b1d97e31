import { testBridgeOn } from '#test/bridge-suite.ts'

await testBridgeOn('postgres')
