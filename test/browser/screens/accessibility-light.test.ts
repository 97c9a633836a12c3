import { checkAll } from './axe.ts'

checkAll('light')
