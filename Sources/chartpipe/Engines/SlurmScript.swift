/// A script for Slurm's `sbatch` that submits an array of jobs, one for each shard, and the join after them.
///
/// The script submits itself: its argument is the kind of the job. A shard whose products failed in part (exit 5) is complete, so
/// its job succeeds and the join starts. After any other failure the join is cancelled. A requeued job appends to the log of the
/// first attempt, and waits while that attempt still has the lock of the work folder.
extension EngineJob {
  var slurmScript: String {
    """
    #!/bin/bash
    #SBATCH --job-name=\(name)
    #SBATCH --ntasks=1
    #SBATCH --cpus-per-task=2
    #SBATCH --no-requeue
    #SBATCH --open-mode=append
    # Options of your cluster, such as the partition and the time limit, belong here. They apply to all jobs.
    #
    # Builds cycle \(cycle) in \(count) shards and joins them. Submit it with `sbatch` in a folder that all nodes share.
    # The shards continue where they stopped when Slurm requeues them. These variables change it:
    #   PARTS      where the shards are exchanged: a shared folder or s3://bucket/prefix
    #   WORK       the shared folder for the work folders and, in site/, the result
    #   FROM       a shared folder with the FAA's files; if unset, each shard downloads its own
    #   PIPELINES  the folder of definitions; if unset, ./pipelines or the installed ones
    #   PUBLISH    where the join publishes the site to; if unset, it is only staged
    set -u
    [ -n "${PARTS:-}" ] || PARTS=\(shellQuoted(parts))
    WORK=${WORK:-work}
    plan=\(name).json
    cpus=${SLURM_CPUS_PER_TASK:-1}
    definitions=(${PIPELINES:+--pipelines "$PIPELINES"})

    # Ends the job with the exit code of a failed command, except for 5: the others are complete.
    check() { [ "$1" -eq 0 ] || [ "$1" -eq 5 ] || exit "$1"; }

    # In a requeued job, waits until a work folder is free: a node that Slurm cannot reach may still be at work in it.
    wait_for_lost_node() {
      [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ] || [ ! -d "$1" ] || flock --timeout 3600 "$1" true
    }

    case "${1:-submit}" in
    submit)
      cat > "$plan" <<'END_OF_PLAN' || exit 1
    \(json.dropLast())
    END_OF_PLAN
      array=$(sbatch --parsable --requeue --array=1-\(count) "$0" shard) || exit 1
      array=${array%%;*}
      join=$(sbatch --parsable --requeue --dependency="afterok:$array" --kill-on-invalid-dep=yes "$0" join) || {
        scancel "$array"
        exit 1
      }
      echo "submitted: the shards as job $array, the join as job ${join%%;*}"
      ;;
    shard)
      work=$WORK/shard-$SLURM_ARRAY_TASK_ID
      shard=(--plan "$plan" --shard "$SLURM_ARRAY_TASK_ID/\(count)" "${definitions[@]}" --work "$work")
      wait_for_lost_node "$work"
      if [ -z "${FROM:-}" ]; then
        chartpipe fetch "${shard[@]}"
        code=$?; [ $code -eq 3 ] || check $code  # 3: no source could be fetched; the part says so
      fi
      chartpipe build "${shard[@]}" ${FROM:+--from "$FROM"} --jobs "$cpus" --to "$PARTS"
      check $?
      ;;
    join)
      wait_for_lost_node "$WORK"
      exec chartpipe join "$PARTS" --plan "$plan" "${definitions[@]}" --work "$WORK" --jobs "$cpus" ${PUBLISH:+--publish "$PUBLISH"}
      ;;
    esac

    """
  }
}

/// Quotes a word so that a shell takes it literally.
private func shellQuoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
