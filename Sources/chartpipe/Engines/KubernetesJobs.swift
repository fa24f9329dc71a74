internal import Core

/// The objects for Kubernetes: a ConfigMap with the plan, an Indexed Job of the shards, and a suspended Job of the join.
///
/// Kubernetes has no order between Jobs, so the join is suspended until the shards are complete.
extension EngineJob {
  /// Of a ConfigMap, less the room for its other fields.
  private static let largestPlan = 1_000_000

  func kubernetesJobs() throws -> String {
    guard json.utf8.count <= EngineJob.largestPlan else {
      throw UserError(
        .badCall, operation: "printing the plan", path: "for Kubernetes",
        reason: "it has more than \(Counts.bytes(EngineJob.largestPlan)), and a ConfigMap holds no more",
        suggestion: "Plan fewer pipelines at a time.")
    }
    return [head, configuration, shards, join].joined(separator: "---\n")
  }

  /// JSON is YAML too.

  private var head: String {
    """
    # Builds cycle \(cycle) in \(count) shards and joins them:
    #   kubectl apply -f FILE
    #   kubectl wait --for=condition=complete --timeout=6h job/\(name)-shards
    #   kubectl patch job/\(name)-join --type=merge -p '{"spec":{"suspend":false}}'
    #   kubectl wait --for=condition=complete --timeout=6h job/\(name)-join
    # Needs the image chartpipe:\(plan.version) (see the Dockerfile) and a PersistentVolumeClaim named chartpipe, ReadWriteMany
    # unless the shards are exchanged through S3. The keys of a store are in the Secret chartpipe-s3, as AWS_ACCESS_KEY_ID,
    # AWS_SECRET_ACCESS_KEY and, for a store other than Amazon's, AWS_ENDPOINT_URL. The result is in /data/work/site.

    """
  }

  private var configuration: String {
    """
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: \(name)
    data:
      plan.json: |
    \(indented(json, by: 4))

    """
  }

  /// Exit 5 means that the shard is complete, but some of its products failed; the join reports these. A wrong call or changed
  /// definitions (2 and 3) fail again on every attempt.
  private var shards: String {
    """
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: \(name)-shards
    spec:
      completionMode: Indexed
      completions: \(count)
      parallelism: \(count)
      backoffLimitPerIndex: 3
    \(pods(failure: "FailIndex", on: "2, 3"))
              workingDir: \(usesStore ? "/work" : "/data")
              command: ["/bin/sh", "-c"]
              args:
                - |
                  shard="$((JOB_COMPLETION_INDEX + 1))/\(count)"
                  check() { [ "$1" -eq 0 ] || [ "$1" -eq 5 ] || exit "$1"; }
                  chartpipe fetch --plan /plan/plan.json --shard "$shard" --work /work
                  code=$?; [ $code -eq 3 ] || check $code  # 3: no source could be fetched; the part says so
                  chartpipe build --plan /plan/plan.json --shard "$shard" --work /work --jobs 2 --to "$PARTS"
                  check $?
    \(indented(environment, by: 10))
              volumeMounts:
                - { name: plan, mountPath: /plan, readOnly: true }
                - { name: work, mountPath: /work }\(usesStore ? "" : "\n            - { name: data, mountPath: /data }")
          volumes:
            - name: plan
              configMap: { name: \(name) }
            - name: work
              emptyDir: {}\(usesStore ? "" : "\n        - name: data\n          persistentVolumeClaim: { claimName: chartpipe }")

    """
  }

  private var join: String {
    """
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: \(name)-join
    spec:
      suspend: true
      backoffLimit: 2
    \(pods(failure: "FailJob", on: "2, 3, 4, 5"))
              workingDir: /data
              command: ["/bin/sh", "-c"]
              args: ['exec chartpipe join "$PARTS" --plan /plan/plan.json --work /data/work --jobs 2']
    \(indented(environment, by: 10))
              volumeMounts:
                - { name: plan, mountPath: /plan, readOnly: true }
                - { name: data, mountPath: /data }
          volumes:
            - name: plan
              configMap: { name: \(name) }
            - name: data
              persistentVolumeClaim: { claimName: chartpipe }

    """
  }

  /// What happens when a pod fails, and the head of the pods' template.
  private func pods(failure action: String, on codes: String) -> String {
    """
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
                status: "True"
          - action: \(action)
            onExitCodes:
              containerName: chartpipe
              operator: In
              values: [\(codes)]
      template:
        spec:
          restartPolicy: Never
          securityContext:
            runAsNonRoot: true
            runAsUser: 10001
            fsGroup: 10001
          containers:
            - name: chartpipe
              image: chartpipe:\(plan.version)
    """
  }

  private var environment: String {
    """
    env:
      - { name: PARTS, value: \((try? JSONValue.line(parts)) ?? "") }
      - { name: XDG_CACHE_HOME, value: /tmp/cache }
    envFrom:
      - secretRef: { name: chartpipe-s3, optional: true }
    resources:
      requests: { cpu: "2", memory: 1Gi }
    """
  }

  private func indented(_ text: String, by count: Int) -> String {
    text.split(separator: "\n").map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
  }

  /// Whether the shards are exchanged through S3 rather than through a folder.
  var usesStore: Bool { parts.hasPrefix("s3://") }
}
