import { testRestoresOn } from '#test/restore-suite.ts'

await testRestoresOn('mariadb')
