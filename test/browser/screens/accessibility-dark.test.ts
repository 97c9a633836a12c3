import { checkAll } from './axe.ts'

checkAll('dark')
