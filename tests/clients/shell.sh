# SPDX-License-Identifier: MIT
# tags: boot short
# busybox sh: pipes, redirections, background jobs, signals, /proc.
. /tests/clients/lib.sh

works "true" true
ok "a command's status" sh -c '(exit 7); [ $? = 7 ]'
ok "a pipeline" sh -c '[ "$(echo one two three | wc -w)" = 3 ]'
ok "a long pipe" sh -c '[ "$(seq 1 20000 | tail -n 1)" = 20000 ]'
ok "a file is written and read" sh -c 'seq 1 1000 >f; [ "$(wc -l <f)" = 1000 ]'
ok "append" sh -c 'echo a >g; echo b >>g; [ "$(tr -d "\n" <g)" = ab ]'
ok "here document" sh -c '[ "$(cat <<E
x
E
)" = x ]'
ok "background and wait" sh -c 'sleep 0.1 & wait $!'
ok "a signal's status" sh -c 'sh -c "kill -TERM \$\$"; [ $? = 143 ]'
run sh -c 'trap "exit 3" USR1; kill -USR1 $$; sleep 1'
ok "a trap runs" [ $rc = 3 ]
works "/proc/self" cat /proc/self/stat
works "ls -R" ls -R /etc
works "find" find /proc/self -maxdepth 1
works "ps" ps
works "md5sum" md5sum /bin/busybox
works "date" date
works "mount" mount
ok "proc is mounted" has ' on /proc type proc '
works "df" df
works "free" free
works "uname" uname -a
