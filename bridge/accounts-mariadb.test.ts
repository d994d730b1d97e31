import { testAccountsOn } from '#test/accounts-suite.ts'

await testAccountsOn('mariadb')
