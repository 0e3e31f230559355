import type { Chapter } from './requirement.ts';
import { v1 } from './v1.ts';
import { v10 } from './v10.ts';
import { v11 } from './v11.ts';
import { v12 } from './v12.ts';
import { v13 } from './v13.ts';
import { v14 } from './v14.ts';
import { v15 } from './v15.ts';
import { v16 } from './v16.ts';
import { v17 } from './v17.ts';
import { v2 } from './v2.ts';
import { v3 } from './v3.ts';
import { v4 } from './v4.ts';
import { v5 } from './v5.ts';
import { v6 } from './v6.ts';
import { v7 } from './v7.ts';
import { v8 } from './v8.ts';
import { v9 } from './v9.ts';

export const chapters: readonly Chapter[] = [
  v1,
  v2,
  v3,
  v4,
  v5,
  v6,
  v7,
  v8,
  v9,
  v10,
  v11,
  v12,
  v13,
  v14,
  v15,
  v16,
  v17,
];
