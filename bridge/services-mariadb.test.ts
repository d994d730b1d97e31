import { testServicesOn } from '#test/service-suite.ts'

await testServicesOn('mariadb')
